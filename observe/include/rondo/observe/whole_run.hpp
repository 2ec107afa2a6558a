#pragma once

/// \file
/// What all ranks have measured, put together; what that says of the program; and how it is told.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rondo/observe/measures.hpp>

namespace rondo::detail::inline observe {

/// A number of each rank.
struct spread {
  double least = 0;
  double median = 0;
  double most = 0;
  double all = 0; ///< For the whole run.
};

/// What the time of all workers went into: parts that add up to 1.
struct time_use {
  spread working;
  spread launching;
  spread between;
  spread messages;
  spread idle;
};

/// `parallel` is the product of the others: the first one looks at all ranks, those after it at the rank that has worked the most.
struct efficiencies {
  double parallel = 1;
  double balance = 1;       ///< Between ranks: the mean of what they have worked, of the most.
  double communication = 1; ///< Without waiting for messages.
  double parallelism = 1;   ///< Without having nothing to do.
  double scheduling = 1;    ///< Without launching, and what is needed between two tasks.
};

struct named_part {
  named_tasks of;       ///< On all ranks.
  double part = 0;      ///< Of what was worked.
  double imbalance = 1; ///< The rank with the most of it, next to the mean.
};

struct whole_run {
  std::vector<measures> ranks;
  double seconds = 0;
  double workers = 0;
  double core_seconds = 0;
  double working = 0;
  time_use of_time;
  efficiencies efficiency;
  durations tasks;
  durations gaps;
  std::vector<named_part> names;
  std::vector<waits_at> waits; ///< The one with the most idle seconds first.
  std::vector<traced> traces;
  std::vector<idle_gap> longest_gaps;
  std::vector<phase_times>
    phases; ///< The longest first: seconds of the rank that was in it longest, work of all.
  std::vector<double>
    busy; ///< The part of workers that had a task, in each of so many equal parts of the time.
  double launches = 0; ///< Launches of closed loops count once for each pass.
  double replayed = 0; ///< Of them, not analysed.
  double in_loops = 0; ///< Of them, by bodies of `repeat` and `iterate`.
  double steals = 0;
  double sent = 0;
  double bytes = 0;
  double memory = 0; ///< Of the rank that had the most.
  double grown = 0;  ///< Of the rank that grew the most: bytes in the second half of the time.

  /// Not empty: the run has not ended well, and this is one rank of so many, up to then.
  std::string failure;
  unsigned ranks_of_run = 1;
};

/// Of all ranks: one at least.
whole_run put_together(std::vector<measures> ranks);

/// A fault of a run, or that it has none.
struct verdict {
  enum class kind_type : std::uint8_t {
    healthy,
    unoptimized,
    cores_shared,
    tasks_too_small,
    trace_off,
    launching,
    blocked,
    imbalance,
    straggler,
    messages,
    one_long_body,
    too_few_tasks,
    memory_grows
  };
  kind_type kind = kind_type::healthy;
  double lost = 0;         ///< Of the time of all workers, as far as it is known.
  std::string why = {};    ///< A sentence with the numbers that say so.
  std::string advice = {}; ///< The one thing to do next.
};
/// As it is printed: "healthy", "load imbalance".
const char* name_of(verdict::kind_type kind);

/// The fault that costs the most comes first, if the run is worse than performance centres let pass: else that it is healthy.
/// Other faults that cost a tenth of the time and more come behind.
std::vector<verdict> judge(const whole_run& j);

/// A digest is to be read at a glance, and not to bury what the program prints: two kilobytes at the most, as lines. `what`, if it is not
/// of a whole program: "of executor 2".
std::string text_of(const whole_run& j, const std::string& what = {});
/// The same numbers, and those of each rank; and why the program has failed, if it has.
std::string json_of(const whole_run& j);

} // namespace rondo::detail::inline observe
