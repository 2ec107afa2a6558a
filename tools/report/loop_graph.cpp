#include "loop_graph.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace rondo::report {

using detail::timeline_lane;
using detail::timeline_rank;
using detail::told_launch;
using detail::told_pass;

namespace {

constexpr std::size_t most_graphs = 12;
constexpr std::size_t most_nodes = 3000;

/// Launches of one pass, as they were told: from `at` until the next pass begins.
struct pass_range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::uint32_t flow = 0;
  std::uint64_t loop = 0;
  std::uint64_t passes = 0;
  bool is_repeat = false;
};

std::string called(const timeline_lane& l, const told_pass& p) {
  static constexpr const char* names[] = {"iterate", "repeat", "trace"};
  std::string title = names[static_cast<int>(p.kind)];
  const auto& s = l.sites[p.site];
  title += s.name.empty() ? "" : " " + s.name;
  return title + (s.place.empty() ? "" : ", " + s.place);
}

/// For each place of a loop, a pass in the middle.
std::map<std::string, pass_range> passes_of(const timeline_lane& l) {
  std::map<std::string, std::vector<const told_pass*>> begun;
  for(const told_pass& p : l.passes)
    if(p.what == told_pass::what_type::begun)
      begun[called(l, p)].push_back(&p);
  std::map<std::string, pass_range> all;
  for(const auto& [title, list] : begun) {
    const std::size_t middle = list.size() / 2;
    const told_pass& p = *list[middle];
    pass_range r{.begin = p.at,
      .end = middle + 1 < list.size() ? list[middle + 1]->at : INT64_MAX,
      .flow = l.sites[p.site].flow,
      .loop = p.loop};
    r.is_repeat = p.kind == pass_info::kind_type::repeat;
    for(const told_pass* const one : list)
      r.passes += one->count;
    // Another loop may have begun before the next pass of this one.
    for(const told_pass& other : l.passes)
      if(other.what == told_pass::what_type::begun && other.at > r.begin && other.at < r.end &&
         called(l, other) != title)
        r.end = other.at;
    all[title] = r;
  }
  return all;
}

class drawer {
public:
  drawer(const analysis& a, std::uint32_t rank) : a_(a), rank_(rank) {
    // Nodes of the rank by their flow and number, or their loop, step and pass.
    for(std::uint32_t n = 0; n != a.graph.nodes.size(); ++n)
      if(const node& x = a.graph.nodes[n]; x.rank == rank && x.has_run()) {
        const span& s = a.spans.all[x.first];
        nodes_[{s.flow, s.number, s.step, s.pass}] = n;
      }
  }

  drawn_graph draw(const std::string& title, const pass_range& of, const timeline_lane& l) {
    drawn_graph g;
    g.title = title;
    g.passes = of.passes;
    place_.clear();
    std::vector<std::uint32_t> chosen;
    for(const told_launch& launch : l.launches) {
      const auto& shape = l.shapes[launch.shape];
      if(!shape.has_task || l.sites[shape.site].flow != of.flow)
        continue;
      std::uint64_t pass = 0;
      if(of.is_repeat) {
        if(launch.step == 0 || launch.number != of.loop)
          continue;
        pass = launch.passes / 2;
      }
      else if(launch.step != 0 || launch.at < of.begin || launch.at >= of.end)
        continue;
      const auto at = nodes_.find({of.flow, launch.number, launch.step, pass});
      if(at == nodes_.end() || chosen.size() == most_nodes)
        continue;
      const node& x = a_.graph.nodes[at->second];
      place_[at->second] = static_cast<std::uint32_t>(chosen.size());
      chosen.push_back(at->second);
      g.nodes.push_back({.name = a_.spans.sites[a_.spans.all[x.first].site].name,
        .details = shape.details,
        .rank = a_.run.ranks[rank_].rank,
        .mean = 1e-9 * static_cast<double>(x.end - x.begin)});
    }
    for(const std::uint32_t n : chosen)
      add_edges(g, n);
    lay_out(g);
    return g;
  }

private:
  void add_edges(drawn_graph& g, std::uint32_t n) {
    // Nodes that stand between are looked through.
    std::vector<std::uint32_t> before(a_.graph.before(n).begin(), a_.graph.before(n).end());
    for(std::size_t i = 0; i < before.size() && i < most_nodes; ++i)
      if(const auto at = place_.find(before[i]); at != place_.end())
        g.edges.emplace_back(at->second, place_.at(n));
      else if(!a_.graph.nodes[before[i]].has_run())
        for(const std::uint32_t m : a_.graph.before(before[i]))
          before.push_back(m);
    std::ranges::sort(g.edges);
    const auto twice = std::ranges::unique(g.edges);
    g.edges.erase(twice.begin(), twice.end());
  }

  static void lay_out(drawn_graph& g) {
    // Launches come in order, so what a node waits for has its column already.
    std::ranges::sort(g.edges, {}, [](const auto& e) { return std::tuple(e.second, e.first); });
    for(const auto& [from, to] : g.edges)
      g.nodes[to].column = std::max(g.nodes[to].column, g.nodes[from].column + 1);
    std::vector<std::uint32_t> rows;
    for(drawn_node& n : g.nodes) {
      rows.resize(std::max<std::size_t>(rows.size(), n.column + 1));
      n.row = rows[n.column]++;
    }
  }

  const analysis& a_;
  std::uint32_t rank_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint64_t>, std::uint32_t>
    nodes_;
  std::map<std::uint32_t, std::uint32_t> place_;
};

} // namespace

std::vector<drawn_graph> loop_graphs(const analysis& a) {
  std::vector<drawn_graph> all;
  if(a.run.ranks.empty())
    return all;
  drawer d(a, 0);
  for(const timeline_lane& l : a.run.ranks.front().lanes)
    for(const auto& [title, range] : passes_of(l))
      if(drawn_graph g = d.draw(title, range, l); !g.nodes.empty())
        all.push_back(std::move(g));
  std::ranges::stable_sort(all, std::greater(), &drawn_graph::passes);
  if(all.size() > most_graphs)
    all.resize(most_graphs);
  return all;
}

} // namespace rondo::report
