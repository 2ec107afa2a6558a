#pragma once

/// \file
/// The parts of `costs_of`, each in a file of its own.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

#include "costs.hpp"

namespace rondo::simulate {

/// Of sorted numbers, the mean of the middle two if there are as many on both sides. 0 if there are none.
inline double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n == 0 ? 0 : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}
inline double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return median_of_sorted(numbers);
}

/// Keys of a lane's sites.
inline std::vector<std::string> keys_of(const detail::timeline_lane& l) {
  std::vector<std::string> keys;
  for(const detail::timeline_site& s : l.sites)
    keys.push_back(key_of(s.name, s.place));
  return keys;
}

/// A piece of a task on its lane.
struct own_piece {
  const detail::task_piece* piece = nullptr;
  std::int64_t own = 0;   ///< Without those within it.
  bool is_within = false; ///< Another one.
};

/// By their begin, an outer one before those within.
std::vector<own_piece> pieces_of(const detail::timeline_lane& worker);

/// The lane of the thread that launches most: the main thread's. Null if there is none.
const detail::timeline_lane* main_lane(const detail::timeline_rank& r);
/// Null if it has run nothing.
const detail::timeline_lane* worker_lane(const detail::timeline_rank& r, std::uint32_t worker);
/// What ended before may be missing, since there was no room for it.
std::int64_t known_from(const detail::timeline_lane& l);

struct all_launch_times {
  std::map<std::string, launch_times> by_site;
  launch_times any;
};
struct all_message_times {
  message_times within_node;
  message_times between_nodes;
};

std::map<std::string, task_times> task_times_of(const detail::timeline& t);
all_launch_times launch_times_of(const detail::timeline& t);
double between_tasks_of(const detail::timeline& t);
all_message_times message_times_of(const detail::timeline& t);

} // namespace rondo::simulate
