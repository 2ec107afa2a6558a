#include "table.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace rondo::report {

namespace {
bool is_task(const spans& s, const span& x) { return s.sites[x.site].kind <= span_kind::node; }
} // namespace

std::int64_t delay_of(
  std::uint32_t i, const spans& s, const graph& g, const std::vector<readiness>& ready) {
  const std::uint32_t n = g.node_of[i];
  if(n == none || !s.all[i].is_first || !ready[n].is_known ||
     ready[n].cause == readiness::cause_type::unknown)
    return -1;
  return std::max<std::int64_t>(0, s.all[i].begin - ready[n].at);
}

std::vector<table_row> table_of(const spans& s, const graph& g, const std::vector<readiness>& ready,
  const std::vector<path_part>& path) {
  struct sums {
    table_row row;
    std::map<std::uint32_t, double> of_rank;
    std::vector<std::int64_t> delays;
  };
  std::vector<sums> by_site(s.sites.size());
  std::set<std::uint32_t> ranks;
  double all = 0;
  for(const lane& l : s.lanes) {
    ranks.insert(l.rank);
    std::vector<std::uint32_t> around;
    for(std::uint32_t i = l.first; i != l.first + l.count; ++i) {
      const span& x = s.all[i];
      if(!is_task(s, x))
        continue;
      sums& of = by_site[x.site];
      const double seconds = 1e-9 * static_cast<double>(x.length());
      of.row.count += x.is_first ? 1 : 0;
      of.row.total += seconds;
      of.row.longest = std::max(of.row.longest, seconds);
      of.of_rank[l.rank] += seconds;
      // What runs within another one is not that one's.
      while(!around.empty() && s.all[around.back()].end <= x.begin)
        around.pop_back();
      if(around.empty())
        all += seconds;
      else {
        sums& outer = by_site[s.all[around.back()].site];
        outer.row.total -= seconds;
        outer.of_rank[l.rank] -= seconds;
      }
      around.push_back(i);
      if(const std::int64_t delay = delay_of(i, s, g, ready); delay >= 0)
        of.delays.push_back(delay);
    }
  }
  for(const path_part& p : path)
    if(p.kind == path_part::kind_type::task)
      by_site[s.all[p.span].site].row.critical_share +=
        static_cast<double>(p.length()) / static_cast<double>(std::max<std::int64_t>(1, s.end));
  std::vector<table_row> rows;
  for(std::uint32_t i = 0; i != by_site.size(); ++i) {
    sums& of = by_site[i];
    if(of.row.count == 0 && of.row.total <= 0)
      continue;
    of.row.site = i;
    of.row.mean = of.row.total / static_cast<double>(std::max<std::uint64_t>(1, of.row.count));
    of.row.share = all > 0 ? of.row.total / all : 0;
    double most = 0;
    for(const auto& [rank, seconds] : of.of_rank)
      most = std::max(most, seconds);
    if(of.row.total > 0)
      of.row.imbalance = most * static_cast<double>(ranks.size()) / of.row.total;
    if(!of.delays.empty()) {
      double sum = 0;
      for(const std::int64_t d : of.delays)
        sum += 1e-9 * static_cast<double>(d);
      of.row.delay_mean = sum / static_cast<double>(of.delays.size());
      const auto p99 = of.delays.begin() + static_cast<std::ptrdiff_t>(of.delays.size() * 99 / 100);
      std::ranges::nth_element(of.delays, p99);
      of.row.delay_p99 = 1e-9 * static_cast<double>(*p99);
    }
    rows.push_back(of.row);
  }
  std::ranges::stable_sort(rows, std::greater(), &table_row::total);
  return rows;
}

std::vector<wait_row> waits_of(const spans& s) {
  std::map<std::uint32_t, wait_row> by_site;
  for(const span& x : s.all) {
    const site& at = s.sites[x.site];
    if(at.kind != span_kind::waited)
      continue;
    wait_row& row = by_site[x.site];
    row.place = at.place;
    row.what = at.what;
    ++row.count;
    row.seconds += 1e-9 * static_cast<double>(x.length());
  }
  std::vector<wait_row> rows;
  for(auto& [number, row] : by_site)
    rows.push_back(std::move(row));
  std::ranges::stable_sort(rows, std::greater(), &wait_row::seconds);
  return rows;
}

std::vector<part_row> parts_of(const std::vector<path_part>& path, const spans& s) {
  std::map<std::pair<int, std::string>, part_row> by_name;
  for(const path_part& p : path) {
    const std::string what =
      p.kind == path_part::kind_type::task ? s.sites[s.all[p.span].site].name : name_of(p.kind);
    part_row& row = by_name[{static_cast<int>(p.kind), what}];
    row.what = what;
    row.kind = p.kind;
    row.seconds += 1e-9 * static_cast<double>(p.length());
  }
  std::vector<part_row> rows;
  for(auto& [key, row] : by_name) {
    row.share = row.seconds / (1e-9 * static_cast<double>(std::max<std::int64_t>(1, s.end)));
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, std::greater(), &part_row::seconds);
  return rows;
}

std::vector<double> parallelism_of(const spans& s, std::size_t steps) {
  // Busy time of each step, as the differences between steps.
  std::vector<double> busy(steps + 1);
  const double step =
    static_cast<double>(std::max<std::int64_t>(1, s.end)) / static_cast<double>(steps);
  for(const span& x : s.all) {
    if(!is_task(s, x) || x.depth != 0)
      continue;
    const double from = static_cast<double>(std::max<std::int64_t>(0, x.begin)) / step;
    const double to = std::min(static_cast<double>(steps), static_cast<double>(x.end) / step);
    for(auto i = static_cast<std::size_t>(from); static_cast<double>(i) < to; ++i)
      busy[i] += std::min(to, static_cast<double>(i + 1)) - std::max(from, static_cast<double>(i));
  }
  busy.pop_back();
  return busy;
}

} // namespace rondo::report
