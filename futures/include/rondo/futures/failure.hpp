#pragma once

/// \file
/// Why a value will never come.

#include <atomic>
#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <utility>

namespace rondo {

class executor;

namespace detail::inline futures {

/// What keeps a promise: code of the program, a task, or the function that `then` was given.
enum class made_by : unsigned char { program, task, then };

/// Where a task was launched, and under which name.
struct launch_site {
  std::source_location where;
  const char* name = "";
  made_by by = made_by::task;
};
/// "'b', launched at main.cpp:9", "the value promised at main.cpp:9", or "the function given to then at main.cpp:9".
[[nodiscard]] std::string in_words(const launch_site& of);

/// Shared by the state that failed, by all that failed because of it, and by the executor, which
/// tells of it at the end if nobody has looked.
class failure {
public:
  failure(std::exception_ptr e, launch_site s, bool is_cancelled)
      : what(std::move(e)), site(s), was_cancelled(is_cancelled) {}

  const std::exception_ptr what;
  const launch_site site;
  const bool was_cancelled;

  void look() { looked_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool looked() const { return looked_.load(std::memory_order_relaxed); }

  failure* share() {
    refs_.fetch_add(1, std::memory_order_relaxed);
    return this;
  }
  void release() {
    if(refs_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

private:
  ~failure() = default;
  std::atomic<std::uint32_t> refs_{1};
  std::atomic<bool> looked_{false};
};

/// Makes the executor remember the failure; null for none.
void report_at_end(executor* home, failure& f);

} // namespace detail::inline futures
} // namespace rondo
