#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "measuring.hpp"

namespace rondo::simulate {

namespace {

/// Of those that were measured. The first launches of a run make what they need, such as channels, so where a run has few they say little.
double median_of_measured(std::vector<double> all) {
  std::erase(all, 0);
  return median(std::move(all));
}

/// Of several runs.
struct launch_times_of_runs {
  std::vector<double> analysed;
  std::vector<double> replayed;

  void add(const launch_times& t) {
    analysed.push_back(t.analysed);
    replayed.push_back(t.replayed);
  }
  [[nodiscard]] launch_times medians() const {
    return {median_of_measured(analysed), median_of_measured(replayed)};
  }
};

void take_last(message_times& so_far, const message_times& next) {
  if(next.count != 0)
    so_far = next;
}

} // namespace

costs together(const std::vector<costs>& all, std::uint32_t ranks) {
  // The best ones last. Where there are more workers than cores, a worker waits for its core, in tasks and when messages come, so these are
  // first. Then come those of more ranks than wanted, and then the others, those of most ranks last.
  std::vector<const costs*> in_order;
  for(const costs& c : all)
    in_order.push_back(&c);
  std::ranges::stable_sort(in_order, {}, [ranks](const costs* c) {
    constexpr double all_have_cores = 1.001;
    const std::int64_t measured = c->ranks;
    return std::pair(
      c->shared > all_have_cores ? -c->shared : -1.0, measured > ranks ? -measured : measured);
  });

  costs result;
  std::map<std::string, launch_times_of_runs> launches;
  launch_times_of_runs any;
  std::vector<double> between;
  for(const costs* const c : in_order) {
    result.ranks = std::max(result.ranks, c->ranks);
    result.workers = c->workers;
    for(const auto& [key, times] : c->tasks)
      result.tasks[key] = times;
    for(const auto& [key, times] : c->launches)
      launches[key].add(times);
    any.add(c->any_launch);
    between.push_back(c->between_tasks);
    take_last(result.within_node, c->within_node);
    take_last(result.between_nodes, c->between_nodes);
    result.shared = std::max(result.shared, c->shared);
  }
  for(const auto& [key, times] : launches)
    result.launches[key] = times.medians();
  result.any_launch = any.medians();
  result.between_tasks = median_of_measured(std::move(between));
  return result;
}

} // namespace rondo::simulate
