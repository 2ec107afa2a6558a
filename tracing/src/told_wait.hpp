#pragma once

/// \file
/// A wait of the code that launches, which observers are told of when it is over.

#include <chrono>
#include <source_location>

#include <rondo/core/observed_task.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo {

/// Nothing is told in a task, whose waits are rests, and where there is nothing to wait for.
class flow::told_wait {
public:
  told_wait(
    flow& f, wait_info::kind_type kind, const std::source_location& where, const char* name = "")
      : flow_(f), kind_(kind), where_(where), name_(name),
        is_told_(f.home().observed() && detail::known_task::innermost() == nullptr &&
                 !f.has_nothing_under_way()) {
    if(is_told_)
      began_ = clock::now();
  }
  ~told_wait() {
    if(!is_told_)
      return;
    const wait_info info{where_, clock::now() - began_, name_, {}, kind_};
    flow_.ex_.tell(flow_.events_, [&info](observer& o) { o.waited(info); });
  }
  told_wait(const told_wait&) = delete;
  told_wait& operator=(const told_wait&) = delete;

private:
  using clock = std::chrono::steady_clock;

  flow& flow_;
  const wait_info::kind_type kind_;
  const std::source_location where_;
  const char* const name_;
  const bool is_told_;
  clock::time_point began_{};
};

} // namespace rondo
