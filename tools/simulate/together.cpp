#include <algorithm>
#include <vector>

#include "costs.hpp"

namespace rondo::simulate {

namespace {

/// On few ranks the main thread is disturbed least.
void fill(double& so_far, double next) {
  if(so_far == 0)
    so_far = next;
}
void fill(launch_times& so_far, const launch_times& next) {
  fill(so_far.analysed, next.analysed);
  fill(so_far.replayed, next.replayed);
}

void keep_larger(message_times& so_far, const message_times& next) {
  if(next.count > so_far.count)
    so_far = next;
}

} // namespace

costs together(const std::vector<costs>& all) {
  std::vector<const costs*> by_ranks; // the fewest first
  for(const costs& c : all)
    by_ranks.push_back(&c);
  std::ranges::stable_sort(by_ranks, {}, &costs::ranks);

  costs result;
  for(const costs* const c : by_ranks) {
    result.ranks = c->ranks;
    result.workers = c->workers;
    for(const auto& [key, times] : c->tasks)
      result.tasks[key] = times; // that of more ranks replaces that of fewer
    for(const auto& [key, times] : c->launches)
      fill(result.launches[key], times);
    fill(result.any_launch, c->any_launch);
    fill(result.between_tasks, c->between_tasks);
    keep_larger(result.within_node, c->within_node);
    keep_larger(result.between_nodes, c->between_nodes);
    result.shared = std::max(result.shared, c->shared);
  }
  return result;
}

} // namespace rondo::simulate
