#include "measuring.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace rondo::simulate {

using detail::task_piece;
using detail::timeline_lane;
using detail::timeline_rank;
using detail::timeline_site;

namespace {

/// A task, as far as its pieces have been seen.
struct seen_task {
  std::int64_t begin = 0;
  std::int64_t own = 0;
  bool has_first = false;
  bool has_last = false;
};

/// Flow, number, step, pass.
using task_key = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint64_t>;

/// When it began, and how long it took.
using timed = std::pair<std::int64_t, double>;

class times_of_rank {
public:
  explicit times_of_rank(const timeline_rank& r) {
    for(const timeline_lane& l : r.lanes)
      if(l.is_of_worker)
        add(l);
    // Tasks that came to rest may have gone on on another worker.
    for(const auto& [key, site] : resting_)
      for(const auto& [id, task] : site)
        if(task.has_first && task.has_last)
          whole_[key].emplace_back(task.begin, static_cast<double>(task.own));
  }

  /// Without those that still had to warm up.
  std::map<std::string, std::vector<double>> result() {
    constexpr std::size_t many = 10;
    constexpr std::ptrdiff_t of_warming_up = 3;
    std::map<std::string, std::vector<double>> times;
    for(auto& [key, all] : whole_) {
      std::ranges::sort(all);
      if(all.size() > many)
        all.erase(all.begin(), all.begin() + of_warming_up);
      std::vector<double>& of_site = times[key];
      for(const auto& [begin, time] : all)
        of_site.push_back(time);
      std::ranges::sort(of_site);
    }
    return times;
  }

private:
  void add(const timeline_lane& l) {
    const std::vector<std::string> keys = keys_of(l);
    for(const own_piece& o : pieces_of(l)) {
      const task_piece& p = *o.piece;
      const timeline_site& site = l.sites[p.site];
      if(site.kind != task_info::kind_type::task)
        continue; // a part of a task, which nobody has launched
      if(p.is_first && p.is_last) {
        whole_[keys[p.site]].emplace_back(p.begin, static_cast<double>(o.own));
        continue;
      }
      seen_task& task = resting_[keys[p.site]][{site.flow, p.number, p.step, p.pass}];
      task.own += o.own;
      task.has_last |= p.is_last;
      if(p.is_first) {
        task.has_first = true;
        task.begin = p.begin;
      }
    }
  }

  std::map<std::string, std::vector<timed>> whole_;
  std::map<std::string, std::map<task_key, seen_task>> resting_;
};

/// So many of sorted numbers: from the middle of as many equal parts, so that a rare long time stays as rare.
std::vector<double> pick(const std::vector<double>& sorted, std::size_t most) {
  if(sorted.size() <= most)
    return sorted;
  std::vector<double> picked;
  for(std::size_t i = 0; i != most; ++i)
    picked.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * most)]);
  return picked;
}

} // namespace

std::map<std::string, task_times> task_times_of(const detail::timeline& t) {
  constexpr std::size_t most_spread = 512;
  std::map<std::string, task_times> result;
  for(const timeline_rank& r : t.ranks)
    for(const auto& [key, sorted] : times_of_rank(r).result()) {
      task_times& of_site = result[key];
      const double level = median_of_sorted(sorted);
      of_site.levels.push_back(level);
      of_site.count += sorted.size();
      for(const double time : sorted) // a level of 0 is shorter than what the clock can tell
        of_site.spread.push_back(level > 0 ? time / level : 1);
    }
  for(auto& [key, of_site] : result) {
    std::ranges::sort(of_site.levels);
    std::ranges::sort(of_site.spread);
    of_site.spread = pick(of_site.spread, most_spread);
  }
  return result;
}

} // namespace rondo::simulate
