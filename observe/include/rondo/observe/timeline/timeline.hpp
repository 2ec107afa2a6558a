#pragma once

/// \file
/// What happened in a run, event by event: data, and no more. `timeline_recorder` sees it happen, `write` and `read` move it to a file and
/// back, `rondo-report` makes pictures and tables of it.
///
/// Times are nanoseconds since the run began, on the clock of rank 0.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rondo/core/observed.hpp>

namespace rondo::detail::inline observe {

/// What tasks and launches are called. Tasks of one name that were launched at two places are two.
struct timeline_site {
  std::string name;  ///< May be empty.
  std::string place; ///< "solver.cpp:40"; empty: not known.
  task_info::kind_type kind = task_info::kind_type::task;
  std::uint32_t flow = 0; ///< The number of the flow that tasks belong to. 0: none.

  friend bool operator==(const timeline_site&, const timeline_site&) = default;
};

/// A task that has run without a rest, or the piece of one that came to rest in between. Pieces on one lane lie one behind the
/// other or one within the other.
struct task_piece {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::uint32_t site = 0;   ///< In `timeline_lane::sites`.
  std::uint32_t step = 0;   ///< As in `task_id`.
  std::uint64_t number = 0; ///< Of the launch in its flow, or of its loop if `step` is not 0.
  std::uint64_t pass = 0;   ///< Of `repeat`.
  bool is_first = true;     ///< It begins here,
  bool is_last = true;      ///< and ends here.
};

/// All launches that differ in nothing but the time are of one shape.
struct launch_shape {
  std::uint32_t site = 0; ///< In `timeline_lane::sites`.
  std::string details;    ///< Such as ", color 3".
  launch_info::how_type how = launch_info::how_type::analysed;
  bool has_task = true;      ///< A launch without one is left out, and only makes others wait.
  std::uint32_t futures = 0; ///< Among its arguments.
  bool has_result = false;   ///< It gives a future.
  struct access {
    region_number region;
    access_info::mode_type mode;

    friend bool operator==(const access&, const access&) = default;
  };
  bool knows_accesses =
    true; ///< False if there were too many shapes to remember those of this one.
  /// Which launch waits for which: docs/protocols/observing.md.
  std::vector<access> accesses;
};

struct told_launch {
  std::int64_t at = 0;
  std::uint32_t shape = 0; ///< In `timeline_lane::shapes`.
  std::uint32_t step = 0;  ///< In `repeat`: told once, of all passes.
  std::uint64_t number = 0;
  std::uint64_t passes = 1; ///< In `repeat`; 0: not known.
};

struct told_message {
  std::int64_t at = 0;
  message_info::what_type what{};
  std::uint32_t channel = 0;
  std::uint32_t peer = 0;
  /// Of the same channel, peer and `what`, on this rank: from 0. The n-th posted there is the n-th arrived here.
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  task_id serves{}; ///< Of `posted` and `taken`; number 0 and flow 0: not known.
};

/// Passes of loops, as `observer` is told of them.
struct told_pass {
  enum class what_type : std::uint8_t { begun, ended, in_vain };
  std::int64_t at = 0;
  what_type what{};
  pass_info::kind_type kind{};
  std::uint32_t site = 0; ///< Of the loop, in `timeline_lane::sites`.
  std::uint64_t loop = 0;
  std::uint64_t number = 0;
  std::uint64_t count = 1;
};

/// The main thread waited, a worker slept, or a phase of the program (`rondo::phase`) lasted.
struct told_time {
  enum class what_type : std::uint8_t {
    waited_value,
    waited_launches,
    waited_region,
    waited_window,
    slept,
    phase
  };
  std::int64_t begin = 0;
  std::int64_t end = 0;
  what_type what{};
  std::uint32_t site = 0; ///< In `timeline_lane::sites`.
};

/// What one thread has seen, in the order of the time at which it ended.
struct timeline_lane {
  /// A worker's tasks, and its sleep. Other lanes are of threads that launch, wait or see to messages: workers have a second lane
  /// for that.
  bool is_of_worker = false;
  std::uint32_t worker = 0;  ///< Its index; of other threads counted from 0.
  std::uint64_t dropped = 0; ///< Events, the oldest ones: there was no more room.
  std::vector<timeline_site> sites;
  std::vector<launch_shape> shapes;
  std::vector<task_piece> tasks;
  std::vector<told_launch> launches;
  std::vector<told_message> messages;
  std::vector<told_pass> passes;
  std::vector<told_time> times;
};

struct timeline_rank {
  std::uint32_t rank = 0;
  std::uint64_t run = 0; ///< The same for all ranks of a run.
  std::string host;
  std::string processor; ///< As the system names it; empty: not known.
  std::uint32_t workers = 1;
  std::uint32_t cores = 1; ///< The cores that the process may use.
  std::int64_t skew = 0;   ///< Its clock may be wrong by as much, in nanoseconds.
  std::int64_t ended = 0;  ///< When it stopped recording.
  std::vector<timeline_lane> lanes;
};

/// How `timeline::failure` and `whole_run::failure` begin if the run was ended from outside.
constexpr const char* told_to_end = "the program was told to end";

struct timeline {
  std::string program; ///< The command line.
  std::string began;   ///< The date and time, "2026-11-26 15:40:02 UTC".
  std::string failure; ///< Why the program has failed, or has not come to its end; empty: it has.
  std::string digest;  ///< Its text; empty: there was none.
  std::uint32_t ranks_of_run = 1; ///< More than there are here if it has failed.
  std::vector<timeline_rank> ranks;
};

} // namespace rondo::detail::inline observe
