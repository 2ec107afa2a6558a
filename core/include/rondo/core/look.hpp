#pragma once

/// \file
/// A look at the workers of an executor from outside: which tasks run on them. Tasks do nothing for it; a worker that is
/// looked at is interrupted by a signal (SIGURG, which nobody else minds) and says what it is at.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pthread.h>

#include <rondo/core/clock.hpp>

namespace rondo {

class executor;

namespace detail::inline core {

/// Changes whenever a job begins or ends. A job may have many launches of a flow in it.
[[nodiscard]] std::uint64_t activity_of(const executor& ex);

struct seen_worker {
  unsigned worker;
  std::string task; ///< Empty if it runs none that has a name, or has not answered in time.
};

/// Worker 0 is the thread `of_seat`, if that is at work for the executor. Not to be called by a worker. Empty if the program
/// has a handler of its own for the signal.
[[nodiscard]] std::vector<seen_worker> look_at_workers(executor& ex, pthread_t of_seat);

/// "main.cpp:20 waits for ...": code that is in `get()`, or waits for launches, of all executors, once it has waited for a while.
[[nodiscard]] std::vector<std::string> look_at_waits();

/// The number of threads of this process that no sanitizer has made; nothing if they can't be counted (a sandbox, or a container
/// without /proc).
[[nodiscard]] std::optional<std::size_t> threads_of_process();

/// Threads that keep no promise, for as long as this lives: where only those are left nothing can go on. Rondo has such, and so do
/// the libraries that carry its messages.
class bystanders {
public:
  explicit bystanders(std::size_t how_many);
  ~bystanders();
  bystanders(const bystanders&) = delete;
  bystanders& operator=(const bystanders&) = delete;

  static std::size_t count();

private:
  const std::size_t how_many_;
};

} // namespace detail::inline core
} // namespace rondo
