#pragma once

/// \file
/// How an executor is made.

#include <cstddef>
#include <optional>
#include <vector>

#include <rondo/core/clock.hpp>

namespace rondo {

struct executor_options {
  /// The number of workers; 0 for one on each core this process may use.
  unsigned workers = 0;
  /// Ties each worker thread to one core. A thread that waits, and so becomes worker 0, goes on on the
  /// first one, but stays free.
  bool bind = false;
  /// All workers are threads of their own; see `executor`.
  bool background = false;
  /// The poller has a thread of its own, which costs a core as long as it is wanted. Otherwise workers look
  /// between two tasks; where tasks are long, a message waits for the end of one.
  bool progress_thread = false;
  /// How long an idle worker looks for work before it sleeps in the kernel. Waking a sleeper
  /// costs microseconds on both sides.
  std::chrono::microseconds spin{1000};
  /// When nothing has run for so long, though somebody waits, it is looked whether that is a deadlock.
  std::chrono::milliseconds deadlock_after{1000};
  /// Bytes of a task's stack. Only what is used takes memory.
  std::size_t stack_size = std::size_t{1} << 20U;
  /// Others use the same cores: a worker that looks for work lets them have these between looks, and nobody counts on
  /// all workers running at the same time. Otherwise that is so if there are more workers than cores.
  std::optional<bool> shares_cores{};
  /// With `bind`: the cores for the workers, one by one, by their `core_info::os_index`. If empty, those of `this_machine()`.
  /// Workers for whom there is none left are not tied.
  std::vector<unsigned> cores{};
};

} // namespace rondo
