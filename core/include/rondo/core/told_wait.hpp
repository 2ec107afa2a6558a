#pragma once

/// \file
/// A wait of code that is no task for what executors run, which observers are told of when it is over. For the parts above, too.

#include <chrono>
#include <source_location>

#include <rondo/core/executor.hpp>
#include <rondo/core/observed_task.hpp>

namespace rondo::detail::inline core {

/// Nothing is told in a task, whose waits are rests.
class told_wait {
public:
  told_wait(executor& ex, const std::source_location& where)
      : told_wait(
          ex, where, wait_info::kind_type::launches, "", nullptr, engine_of(ex).observed()) {}
  /// `may_be_told`: there are observers, and something to wait for. `from`: the thread that waits owns it; or null.
  told_wait(executor& ex, const std::source_location& where, wait_info::kind_type kind,
    const char* name, event_source* from, bool may_be_told)
      : ex_(ex), where_(where), kind_(kind), name_(name), from_(from),
        is_told_(may_be_told && known_task::innermost() == nullptr) {
    if(is_told_)
      began_ = clock::now();
  }
  ~told_wait() {
    if(!is_told_)
      return;
    const wait_info info{where_, clock::now() - began_, name_, {}, kind_};
    const auto one = [&info](observer& o) { o.waited(info); };
    if(from_ != nullptr)
      engine_of(ex_).tell(*from_, one);
    else
      engine_of(ex_).tell(one);
  }
  told_wait(const told_wait&) = delete;
  told_wait& operator=(const told_wait&) = delete;

private:
  using clock = std::chrono::steady_clock;

  executor& ex_;
  const std::source_location where_;
  const wait_info::kind_type kind_;
  const char* const name_;
  event_source* const from_;
  const bool is_told_;
  clock::time_point began_{};
};

} // namespace rondo::detail::inline core
