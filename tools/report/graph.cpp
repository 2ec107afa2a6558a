#include "graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "flow_nodes.hpp"
#include "region_order.hpp"

namespace rondo::report {

using detail::launch_shape;
using detail::timeline_lane;
using detail::timeline_rank;
using detail::told_launch;
using detail::told_message;

std::span<const std::uint32_t> graph::messages_to(std::uint32_t n) const {
  const auto [first, last] =
    std::ranges::equal_range(arrows_to, n, {}, [this](std::uint32_t a) { return arrows[a].to; });
  return {first, last};
}

std::uint32_t graph::last_message(std::uint32_t n, std::int64_t behind, std::int64_t by) const {
  std::uint32_t last = none;
  for(const std::uint32_t a : messages_to(n)) {
    const std::int64_t arrived = arrows[a].arrived;
    if(arrived > behind && arrived <= by && (last == none || arrived > arrows[last].arrived))
      last = a;
  }
  return last;
}

std::span<const graph::taken_result> graph::results_for(std::uint32_t n) const {
  const auto [first, last] = std::ranges::equal_range(results, n, {}, &taken_result::by);
  return {first, last};
}

namespace {

using flow_key = std::pair<std::uint32_t, std::uint32_t>; ///< Place of the rank, flow.

class maker {
public:
  maker(const detail::timeline& t, const spans& s) : timeline_(t), spans_(s) {
    collect();
    collect_passes();
    for(auto& [key, flow] : flows_)
      make_nodes(key.first, flow);
    g_.first_edge.push_back(static_cast<std::uint32_t>(g_.edges.size()));
    link_spans();
    link_messages();
  }
  graph result() { return std::move(g_); }

private:
  void collect() {
    for(std::uint32_t r = 0; r != timeline_.ranks.size(); ++r) {
      const timeline_rank& rank = timeline_.ranks[r];
      place_of_rank_[rank.rank] = r;
      drops& lost = drops_.emplace_back();
      for(const timeline_lane& l : rank.lanes)
        (l.is_of_worker ? lost.tasks : lost.launches) |= l.dropped != 0;
      for(std::uint32_t lane = 0; lane != rank.lanes.size(); ++lane) {
        const timeline_lane& l = rank.lanes[lane];
        const auto first = static_cast<std::uint32_t>(g_.shapes.size());
        for(std::uint32_t n = 0; n != l.shapes.size(); ++n)
          g_.shapes.push_back({r, lane, n, 0});
        for(const told_launch& launch : l.launches) {
          const launch_shape& shape = l.shapes[launch.shape];
          g_.shapes[first + launch.shape].step = launch.step;
          flows_[{r, l.sites[shape.site].flow}].launches.push_back(
            {launch.number, launch.at, launch.passes, first + launch.shape, launch.step,
              shape.how == launch_info::how_type::repeated});
        }
      }
    }
  }

  /// A loop may have more passes than there is memory for, of which the last ones are left.
  void collect_passes() {
    for(const lane& l : spans_.lanes)
      for(std::uint32_t i = l.first; i != l.first + l.count; ++i) {
        const span& s = spans_.all[i];
        if(s.step == 0)
          continue;
        const auto flow = flows_.find({place_of_rank_.at(l.rank), s.flow});
        if(flow == flows_.end())
          continue;
        auto& passes = flow->second.passes[s.number];
        if(passes.empty() || passes.back() != s.pass)
          passes.push_back(s.pass);
      }
    for(auto& [key, flow] : flows_)
      for(auto& [loop, passes] : flow.passes) {
        std::ranges::sort(passes);
        const auto twice = std::ranges::unique(passes);
        passes.erase(twice.begin(), twice.end());
      }
  }

  [[nodiscard]] const launch_shape& shape_of(std::uint32_t n) const {
    const graph::shape& s = g_.shapes[n];
    return timeline_.ranks[s.rank].lanes[s.lane].shapes[s.number];
  }

  // ---- one flow after the other -----------------------------------------------------------------

  struct use {
    std::uint32_t region;
    region_order::mode mode;
  };

  void make_nodes(std::uint32_t rank, flow_nodes& flow) {
    regions_.clear();
    region_numbers_.clear();
    for(const std::uint32_t shape : listed_)
      uses_[shape].clear();
    listed_.clear();
    results_.clear();
    uses_.resize(g_.shapes.size());
    is_listed_.assign(g_.shapes.size(), false);
    gaps_ = drops_[rank].launches ? 1 : 0;
    auto& all = flow.launches;
    std::ranges::stable_sort(all, {}, &told::number);
    for(std::size_t i = 0; i != all.size();) {
      if(!all[i].is_repeated) {
        const std::uint32_t n = add_node(rank, all[i]);
        // Launches that are left out have the number of the next one.
        if(shape_of(all[i].shape).has_task)
          flow.add_single(all[i].number, n);
        ++i;
        continue;
      }
      std::size_t end = i;
      while(end != all.size() && all[end].is_repeated && all[end].number == all[i].number)
        ++end;
      repeat(rank, flow, std::span(all).subspan(i, end - i));
      i = end;
    }
  }

  void repeat(std::uint32_t rank, flow_nodes& flow, std::span<const told> body) {
    constexpr std::uint32_t most_steps = 1U << 24U; // more than that is damage
    flow_nodes::loop l;
    l.passes = flow.passes[body.front().number];
    l.body = body.size();
    for(std::uint32_t i = 0; i != body.size(); ++i)
      if(body[i].step != 0 && body[i].step < most_steps) {
        l.of_step.resize(std::max<std::size_t>(l.of_step.size(), body[i].step + 1), none);
        l.of_step[body[i].step] = i;
      }
    // Passes without a task have not run, unless there was no room for them.
    const bool is_dropped = drops_[rank].launches || drops_[rank].tasks;
    std::uint64_t next = 0;
    for(const std::uint64_t pass : l.passes) {
      gaps_ += is_dropped && pass != next ? 1 : 0;
      next = pass + 1;
      for(const told& launch : body)
        l.nodes.push_back(add_node(rank, launch));
    }
    gaps_ += is_dropped && next != body.front().passes ? 1 : 0;
    flow.add_loop(body.front().number, std::move(l));
  }

  std::uint32_t add_node(std::uint32_t rank, const told& launch) {
    const std::vector<use>& uses = uses_of(launch.shape);
    const auto between = [&](const std::vector<std::uint32_t>& before) {
      const std::uint32_t made = begin_node(rank);
      for(const std::uint32_t m : before)
        g_.edges.push_back(m);
      return made;
    };
    for(const use& u : uses)
      regions_[u.region].prepare(u.mode, between);
    const std::uint32_t n = begin_node(rank);
    g_.nodes[n].launched = launch.at;
    g_.nodes[n].shape = launch.shape;
    node& made = g_.nodes[n];
    const launch_shape& shape = shape_of(launch.shape);
    made.may_have_run = shape.has_task && drops_[rank].tasks;
    for(const use& u : uses)
      if(!regions_[u.region].use(n, u.mode, gaps_, [&](std::uint32_t m) { add_edge(n, m); }))
        made.knows_all = false;
    if(!shape.knows_accesses) {
      made.knows_all = false;
      ++gaps_;
    }
    for(std::size_t i = 0; i != std::min<std::size_t>(shape.futures, results_.size()); ++i)
      g_.results.push_back({n, results_[results_.size() - 1 - i]});
    if(shape.has_result)
      results_.push_back(n);
    return n;
  }

  /// Edges that are added from here on are its own.
  std::uint32_t begin_node(std::uint32_t rank) {
    const auto n = static_cast<std::uint32_t>(g_.nodes.size());
    g_.nodes.emplace_back();
    g_.nodes.back().rank = rank;
    g_.first_edge.push_back(static_cast<std::uint32_t>(g_.edges.size()));
    return n;
  }

  /// Most wait for a few, and often for the same one in several ways.
  void add_edge(std::uint32_t n, std::uint32_t before) {
    const auto own = std::span(g_.edges).subspan(g_.first_edge[n]);
    if(before != n && (own.size() > 8 || std::ranges::find(own, before) == own.end()))
      g_.edges.push_back(before);
  }

  const std::vector<use>& uses_of(std::uint32_t shape) {
    if(!is_listed_[shape]) {
      is_listed_[shape] = true;
      listed_.push_back(shape);
      for(const launch_shape::access& a : shape_of(shape).accesses) {
        const std::uint64_t key = std::uint64_t{a.region.field} << 32U | a.region.part;
        const auto [at, is_new] =
          region_numbers_.emplace(key, static_cast<std::uint32_t>(regions_.size()));
        if(is_new)
          regions_.emplace_back();
        uses_[shape].push_back({at->second, a.mode});
      }
    }
    return uses_[shape];
  }

  // ---- spans ------------------------------------------------------------------------------------

  [[nodiscard]] std::uint32_t find(std::uint32_t rank, std::uint32_t flow, std::uint64_t number,
    std::uint32_t step, std::uint64_t pass) const {
    const auto at = flows_.find({rank, flow});
    return at != flows_.end() ? at->second.find(number, step, pass) : none;
  }

  void link_spans() {
    g_.node_of.assign(spans_.all.size(), none);
    for(const lane& l : spans_.lanes) {
      const std::uint32_t rank = place_of_rank_.at(l.rank);
      for(std::uint32_t i = l.first; i != l.first + l.count; ++i) {
        const span& s = spans_.all[i];
        if(s.flow == 0 || spans_.sites[s.site].kind != span_kind::task)
          continue;
        const std::uint32_t n = find(rank, s.flow, s.number, s.step, s.pass);
        g_.node_of[i] = n;
        if(n == none)
          continue;
        node& x = g_.nodes[n];
        if(s.is_first) {
          x.first = i;
          x.begin = s.begin;
        }
        if(s.is_last) {
          x.last = i;
          x.end = s.end;
        }
      }
    }
  }

  // ---- messages ---------------------------------------------------------------------------------

  [[nodiscard]] std::uint32_t served_by(std::uint32_t rank, const told_message& m) const {
    return m.serves.flow == 0
             ? none
             : find(rank, m.serves.flow, m.serves.number, m.serves.step, m.serves.pass);
  }

  void link_messages() {
    using key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;
    struct other_end {
      std::int64_t arrived = node::unknown;
      std::uint32_t to = none;
      bool is_whole = false;
    };
    std::map<key, other_end> ends; // by the ranks that send and receive, channel, count
    for(std::uint32_t r = 0; r != timeline_.ranks.size(); ++r)
      for(const timeline_lane& l : timeline_.ranks[r].lanes)
        for(const told_message& m : l.messages) {
          const key k(m.peer, timeline_.ranks[r].rank, m.channel, m.count);
          if(m.what == message_info::what_type::arrived)
            ends[k].arrived = m.at;
          else if(m.what == message_info::what_type::taken)
            ends[k].to = served_by(r, m);
        }
    for(std::uint32_t r = 0; r != timeline_.ranks.size(); ++r)
      for(const timeline_lane& l : timeline_.ranks[r].lanes)
        for(const told_message& m : l.messages) {
          if(m.what != message_info::what_type::posted)
            continue;
          const auto at = ends.find({timeline_.ranks[r].rank, m.peer, m.channel, m.count});
          const auto peer = place_of_rank_.find(m.peer);
          if(at == ends.end() || at->second.arrived == node::unknown ||
             peer == place_of_rank_.end())
            continue; // nobody has seen it come
          at->second.is_whole = true;
          g_.arrows.push_back({served_by(r, m), at->second.to, r, peer->second, m.bytes, m.at,
            std::max(m.at, at->second.arrived)});
        }
    for(const auto& [k, other] : ends)
      if(other.to != none && !other.is_whole)
        g_.nodes[other.to].lacks_message = true;
    std::ranges::stable_sort(g_.arrows, {}, &arrow::posted);
    for(std::uint32_t a = 0; a != g_.arrows.size(); ++a)
      if(g_.arrows[a].to != none)
        g_.arrows_to.push_back(a);
    std::ranges::stable_sort(g_.arrows_to, {}, [this](std::uint32_t a) { return g_.arrows[a].to; });
  }

  const detail::timeline& timeline_;
  const spans& spans_;
  graph g_;
  std::map<std::uint32_t, std::uint32_t> place_of_rank_;
  std::map<flow_key, flow_nodes> flows_;
  /// Of which there was no room for all.
  struct drops {
    bool launches = false;
    bool tasks = false;
  };
  std::vector<drops> drops_; ///< By the places of ranks.

  // Of the flow at hand.
  std::vector<region_order> regions_;
  std::unordered_map<std::uint64_t, std::uint32_t> region_numbers_;
  std::vector<std::vector<use>> uses_; ///< Of shapes.
  std::vector<bool> is_listed_;
  std::vector<std::uint32_t> listed_;
  std::vector<std::uint32_t> results_; ///< Nodes that give futures.
  std::uint32_t gaps_ = 0;             ///< Places at which launches are missing.
};

} // namespace

graph graph_of(const detail::timeline& t, const spans& s) { return maker(t, s).result(); }

} // namespace rondo::report
