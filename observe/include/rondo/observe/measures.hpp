#pragma once

/// \file
/// What was measured on one rank while a program ran: data, and no more. `recorder` makes it, `judge` looks at that of all ranks.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rondo/observe/durations.hpp>

namespace rondo::detail::inline observe {

/// Tasks of one name.
struct named_tasks {
  std::string name;
  std::uint64_t count = 0;
  double seconds = 0; ///< Of all of them, without tasks that they ran while they waited.
  double longest = 0;
};

/// Waits of code that is no task, at one place of the program.
struct waits_at {
  std::string where; ///< File and line.
  std::string what;  ///< "value", "launches", "region", "window".
  std::uint64_t count = 0;
  double seconds = 0;
  double idle =
    0; ///< Seconds that workers had nothing to do until the last of these waits was over, since the wait before.
  double longest_idle = 0; ///< Of them, up to the end of one wait.
};

/// Of `phase`s of one name.
struct phase_times {
  std::string name;
  std::uint64_t count = 0;
  double seconds = 0;
  double working = 0; ///< Seconds of workers in that time.
};

/// A worker had nothing to do for that long.
struct idle_gap {
  double seconds = 0;
  std::string before; ///< The task that ended it.
  /// For most of the time: other workers of the rank had tasks; else it was over after a message had come; else when the code that
  /// launches, or something outside, went on.
  enum class waited_type : std::uint8_t { launch, message, tasks };
  waited_type waited = waited_type::launch;
  std::uint32_t rank = 0;
};

/// The three longest ones, the longest first.
inline constexpr std::size_t gaps_kept = 3;

/// Passes of a trace were not replayed for that reason.
struct missed {
  std::string why;        ///< With the launches and their places.
  std::uint64_t pass = 0; ///< The last one; of several ranks the latest.
  std::uint64_t count = 1;

  [[nodiscard]] std::string text() const {
    return (count == 1 ? "pass " + std::to_string(pass) : std::to_string(count) + " passes") +
           ", " + why;
  }
};

/// What has become of a trace.
struct traced {
  std::string name;
  std::uint64_t passes = 0;
  std::uint64_t replayed = 0;
  std::uint64_t diverged = 0;
  bool is_off = false;
  std::vector<missed> misses = {}; ///< The newest one last; of all ranks the most frequent one.

  /// The last one of these, in a line; empty if all passes were replayed.
  [[nodiscard]] std::string why() const {
    return misses.empty() ? std::string() : misses.back().text();
  }
};

/// How much was worked at which time: in the first so many seconds, in the next ones, and so on.
struct work_slices {
  double seconds_each = 0;
  std::vector<double> worked; ///< Seconds of workers.

  /// Adds what the other one has, to slices as long as the longer ones.
  work_slices& operator+=(const work_slices& other);
  /// In that time, as if work were spread evenly over each slice.
  [[nodiscard]] double between(double from, double to) const;
};

struct measures {
  std::string host;
  std::uint32_t rank = 0;
  std::uint32_t workers = 1;
  std::uint32_t cores = 1;           ///< The cores that this process may use.
  std::uint32_t workers_of_node = 0; ///< Of all ranks there; 0: not known.
  std::uint32_t cores_of_node = 0;   ///< The cores that the ranks of its node may use together.
  bool is_optimized = true;
  double seconds = 0;

  // Seconds of workers. What remains of workers x seconds is idle.
  double working = 0;
  double launching =
    0;                 ///< The main thread has run: the program's own code, and what launches cost.
  double messages = 0; ///< No worker had a task, until a message came.
  double standstill =
    0; ///< No worker had a task, and no message came. Of what is idle; the rest is idle while others work.
  double between =
    0; ///< Between two tasks that come one after the other: what the runtime needs for that.

  durations tasks; ///< How long they took.
  durations gaps;  ///< Between the end of one and the begin of the next on the same worker.
  std::vector<idle_gap> longest_gaps;
  std::vector<named_tasks> names;
  std::vector<waits_at> waits;
  std::vector<traced> traces;
  std::vector<phase_times> phases;
  work_slices over_time; ///< From the begin.

  std::uint64_t launches = 0;
  std::uint64_t replayed = 0; ///< Of them: not analysed.
  std::uint64_t in_loops = 0; ///< Of them: by bodies of `repeat` and `iterate`.
  std::uint64_t steals = 0;
  std::uint64_t sent = 0; ///< Messages.
  std::uint64_t bytes = 0;

  double cpu = 0; ///< Seconds of processors that this process has had.
  double kept =
    0; ///< Seconds that its threads were ready to run, and the system had no core for them.
  std::uint64_t memory = 0;      ///< The most that it had, in bytes.
  std::uint64_t memory_half = 0; ///< What it had after half of the time, and at the end.
  std::uint64_t memory_end = 0;
};

/// For a message to another rank, and for what has come from there.
std::vector<std::byte> to_bytes(const measures& m);
/// Throws std::runtime_error if they are none.
measures from_bytes(const std::byte* at, std::size_t size);

} // namespace rondo::detail::inline observe
