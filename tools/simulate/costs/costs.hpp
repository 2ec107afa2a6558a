#pragma once

/// \file
/// What things cost, measured in a run that was made with RONDO_OBSERVE=timeline=FILE. Times are nanoseconds.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::simulate {

/// How long tasks of a site take: on some ranks always longer than on others, and each time a bit different.
struct task_times {
  std::vector<double> levels; ///< The median of each rank that has such tasks, sorted.
  std::vector<double>
    spread; ///< Sorted, at most 512: times by the level of their rank, evenly picked.
  std::uint64_t count = 0; ///< Of the tasks that were measured.
};

/// What a launch costs the main thread, if nothing comes between: medians.
struct launch_times {
  double analysed = 0; ///< 0 if there were none.
  double replayed = 0; ///< From a trace, with a guard or found.
};

/// A straight line through the fastest messages of each size: from `posted` until the other rank knows that it has arrived.
struct message_times {
  double latency = 0;
  double per_byte = 0;
  std::uint64_t count = 0;
};

struct costs {
  std::uint32_t ranks = 0; ///< Of the run.
  std::uint32_t workers = 1;
  std::map<std::string, task_times> tasks;      ///< By `key_of` the site.
  std::map<std::string, launch_times> launches; ///< The same.
  launch_times any_launch;                      ///< The medians of all.
  double between_tasks =
    0; ///< A worker needs from one task to the next, if there is one: the median.
  message_times within_node; ///< Of messages between ranks of one host; count 0: there were none.
  message_times between_nodes;
  double shared =
    0; ///< More than 0: so many workers there were for each core of a host. More than 1: times say little of nodes.
};

/// What happened, to compare with a prediction: docs/prediction.md. All times of it are seconds.
struct components {
  double seconds =
    0; ///< From when all ranks have launched something to the end of the last task: ranks need not have been started at the same time.
  double computing =
    0; ///< In tasks of the program: the mean of ranks, of all their workers together.
  double most_computing = 0;  ///< Of the rank that computes longest.
  double launching = 0;       ///< The main thread needs for launches: the mean of ranks.
  double in_runtime = 0;      ///< In tasks of Rondo's own (halos, reductions): the mean of ranks.
  std::uint64_t launches = 0; ///< Of all ranks together, with a task.
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// "task::average solver.cpp:40"
std::string key_of(const std::string& name, const std::string& place);
/// Tasks of Rondo's own are called "halo: send" and the like: with a colon and a space.
bool is_of_runtime(const std::string& name);

costs costs_of(const detail::timeline& t);
components components_of(const detail::timeline& t);

/// Of the same program on several numbers of ranks, for so many ranks: tasks and messages as on the most ranks up to these that had a core for each
/// worker; launches as in most runs.
costs together(const std::vector<costs>& all, std::uint32_t ranks = UINT32_MAX);

void to_json(nlohmann::json& j, const costs& c);
void from_json(const nlohmann::json& j, costs& c);
void to_json(nlohmann::json& j, const components& c);

} // namespace rondo::simulate
