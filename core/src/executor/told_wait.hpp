#pragma once

/// \file
/// A wait of code that is no task for what executors run, which observers are told of when it is over.

#include <chrono>
#include <source_location>

#include <rondo/core/executor.hpp>
#include <rondo/core/observed_task.hpp>

namespace rondo::detail::inline core {

/// Nothing is told in a task, whose waits are rests.
class told_wait {
public:
  told_wait(executor& ex, const std::source_location& where)
      : ex_(ex), where_(where), is_told_(ex.observed() && known_task::innermost() == nullptr) {
    if(is_told_)
      began_ = clock::now();
  }
  ~told_wait() {
    if(!is_told_)
      return;
    const wait_info info{where_, clock::now() - began_, "", {}, wait_info::kind_type::launches};
    const auto one = [&info](observer& o) { o.waited(info); };
    ex_.tell(one);
  }
  told_wait(const told_wait&) = delete;
  told_wait& operator=(const told_wait&) = delete;

private:
  using clock = std::chrono::steady_clock;

  executor& ex_;
  const std::source_location where_;
  const bool is_told_;
  clock::time_point began_{};
};

} // namespace rondo::detail::inline core
