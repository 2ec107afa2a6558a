#pragma once

/// \file
/// A look at the workers of an executor from outside: which tasks run on them. Tasks do nothing for it; a worker that is
/// looked at is interrupted by a signal (SIGURG, which nobody else minds) and says what it is at.

#include <cstdint>
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

/// A thread of Rondo that keeps no promise, for as long as this lives: where only those are left nothing can go on.
class bystander {
public:
  bystander();
  ~bystander();
  bystander(const bystander&) = delete;
  bystander& operator=(const bystander&) = delete;

  static std::size_t count();
};

} // namespace detail::inline core
} // namespace rondo
