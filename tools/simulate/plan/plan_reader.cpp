#include "plan_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <rondo/observe/timeline/file.hpp>

#include "graph.hpp"
#include "loop_of_role.hpp"
#include "spans.hpp"

namespace rondo::simulate {

using detail::timeline_lane;
using detail::timeline_rank;
using detail::told_message;
using detail::told_time;
using what_type = message_info::what_type;

namespace {

using task_key = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>; ///< Number, step, pass.

/// What one rank does, in the order of the program.
class rank_maker {
public:
  explicit rank_maker(timeline_rank r)
      : words_(only(std::move(r))), spans_(report::spans_of(words_)),
        graph_(report::graph_of(words_, spans_)) {
    find_flow();
    collect_messages();
    collect_waits();
    for(std::uint32_t n = 0; n != graph_.nodes.size(); ++n)
      if(is_launch(n))
        add_launch(n);
    add_waits_before(INT64_MAX);
  }

  /// `site_of(name, place)` gives numbers.
  template<class SiteOf>
  std::pair<role, rank> result(const SiteOf& site_of) {
    for(std::size_t i = 0; i != role_.launches.size(); ++i)
      if(const std::uint32_t shape = shapes_[i]; shape != report::none) {
        const detail::timeline_site& s = site_of_shape(shape);
        role_.launches[i].site = site_of(s.name, s.place);
      }
    return {std::move(role_), std::move(rank_)};
  }

private:
  static detail::timeline only(timeline_rank r) {
    detail::timeline t;
    t.ranks.push_back(std::move(r));
    return t;
  }

  [[nodiscard]] const timeline_lane& lane_of_shape(std::uint32_t n) const {
    return words_.ranks[0].lanes[graph_.shapes[n].lane];
  }
  [[nodiscard]] const detail::launch_shape& shape_of(std::uint32_t n) const {
    return lane_of_shape(n).shapes[graph_.shapes[n].number];
  }
  [[nodiscard]] const detail::timeline_site& site_of_shape(std::uint32_t n) const {
    return lane_of_shape(n).sites[shape_of(n).site];
  }

  /// Programs may have flows of their own; the scheduler's is that with most launches.
  void find_flow() {
    std::map<std::uint32_t, std::size_t> launches;
    for(const report::node& n : graph_.nodes)
      if(n.shape != report::none)
        ++launches[site_of_shape(n.shape).flow];
    const auto most =
      std::ranges::max_element(launches, {}, [](const auto& l) { return l.second; });
    flow_ = most != launches.end() ? most->first : 0;
  }
  [[nodiscard]] bool is_launch(std::uint32_t n) const {
    const std::uint32_t shape = graph_.nodes[n].shape;
    return shape != report::none && site_of_shape(shape).flow == flow_;
  }

  // ---- messages ---------------------------------------------------------------------------------

  void collect_messages() {
    std::map<task_key, std::uint32_t> node_of;
    for(std::uint32_t i = 0; i != spans_.all.size(); ++i) {
      const report::span& s = spans_.all[i];
      if(s.flow == flow_ && graph_.node_of[i] != report::none)
        node_of[{s.number, s.step, s.pass}] = graph_.node_of[i];
    }
    for(const timeline_lane& l : words_.ranks[0].lanes)
      for(const told_message& m : l.messages) {
        if(m.what != what_type::posted && m.what != what_type::taken)
          continue;
        const auto at = node_of.find({m.serves.number, m.serves.step, m.serves.pass});
        if(m.serves.flow != flow_ || at == node_of.end())
          throw std::runtime_error("the plan has a message that no launch is known for");
        messages_[at->second].push_back(&m);
      }
  }

  std::uint32_t stream_of(std::vector<stream>& all, const told_message& m) {
    const stream s{m.peer, m.channel};
    const auto at = std::ranges::find(all, s);
    const auto n = static_cast<std::uint32_t>(at - all.begin());
    if(at == all.end())
      all.push_back(s);
    return n;
  }

  // ---- waits ------------------------------------------------------------------------------------

  void collect_waits() {
    for(const timeline_lane& l : words_.ranks[0].lanes)
      for(const told_time& t : l.times)
        if(t.what == told_time::what_type::waited_value ||
           t.what == told_time::what_type::waited_region ||
           t.what == told_time::what_type::waited_launches)
          waits_.push_back(t);
    std::ranges::stable_sort(waits_, {}, &told_time::begin);
  }

  void add_waits_before(std::int64_t time) {
    for(; next_wait_ != waits_.size() && waits_[next_wait_].begin < time; ++next_wait_) {
      launch l;
      l.has_task = false;
      l.is_wait = true;
      l.waits_for_all = waits_[next_wait_].what != told_time::what_type::waited_value;
      begin(l);
      if(!l.waits_for_all && !results_.empty())
        wait_for(results_.back());
      end(l, report::none);
    }
  }

  // ---- launches ---------------------------------------------------------------------------------

  void add_launch(std::uint32_t n) {
    const report::node& x = graph_.nodes[n];
    add_waits_before(x.launched);
    const detail::launch_shape& shape = shape_of(x.shape);
    launch l;
    l.has_task = shape.has_task;
    l.has_result = shape.has_result;
    begin(l);
    add_edges(n);
    for(std::size_t i = 0; i != std::min<std::size_t>(shape.futures, results_.size()); ++i)
      wait_for(results_[results_.size() - 1 - i]);
    if(const auto at = messages_.find(n); at != messages_.end())
      for(const told_message* const m : at->second) {
        const bool is_sent = m->what == what_type::posted;
        role_.actions.push_back({is_sent, stream_of(is_sent ? rank_.out : rank_.in, *m),
          static_cast<std::uint32_t>(m->bytes)});
        ++l.actions;
      }
    place_of_[n] = here();
    if(l.has_result)
      results_.push_back(here());
    end(l, x.shape);
  }

  /// What stands between many and many is no launch: what is before it counts.
  void add_edges(std::uint32_t n) {
    for(const std::uint32_t m : graph_.before(n))
      if(const auto at = place_of_.find(m); at != place_of_.end())
        wait_for(at->second);
      else if(graph_.nodes[m].shape == report::none)
        add_edges(m);
  }

  [[nodiscard]] std::uint32_t here() const {
    return static_cast<std::uint32_t>(role_.launches.size());
  }
  void begin(launch& l) {
    l.first_before = static_cast<std::uint32_t>(role_.before.size());
    l.first_action = static_cast<std::uint32_t>(role_.actions.size());
  }
  void wait_for(std::uint32_t place) { role_.before.push_back(here() - place); }
  /// In one order, each once: then equal launches look equal.
  void end(launch& l, std::uint32_t shape) {
    const auto own = role_.before.begin() + l.first_before;
    std::sort(own, role_.before.end());
    role_.before.erase(std::unique(own, role_.before.end()), role_.before.end());
    l.befores = static_cast<std::uint32_t>(role_.before.size()) - l.first_before;
    role_.launches.push_back(l);
    shapes_.push_back(shape);
  }

  const detail::timeline words_;
  const report::spans spans_;
  const report::graph graph_;
  std::uint32_t flow_ = 0;
  std::unordered_map<std::uint32_t, std::vector<const told_message*>> messages_; ///< By nodes.
  std::vector<told_time> waits_;
  std::size_t next_wait_ = 0;
  role role_;
  rank rank_;
  std::vector<std::uint32_t> shapes_;                         ///< Of launches.
  std::vector<std::uint32_t> results_;                        ///< Launches that give futures.
  std::unordered_map<std::uint32_t, std::uint32_t> place_of_; ///< Of nodes.
};

std::uint64_t hash_of(const role& r) {
  std::uint64_t h = 0;
  const auto mix = [&h](std::uint64_t part) { h = (h ^ (h >> 29U)) * 0x9e3779b97f4a7c15U + part; };
  for(const launch& l : r.launches)
    mix(std::uint64_t{l.site} << 8U | std::uint64_t{l.befores} << 4U |
        std::uint64_t{l.has_task} << 1U | std::uint64_t{l.is_wait});
  for(const std::uint32_t b : r.before)
    mix(b);
  for(const action& a : r.actions)
    mix(std::uint64_t{a.stream} << 33U | std::uint64_t{a.bytes} << 1U | std::uint64_t{a.is_sent});
  return h;
}

} // namespace

std::uint32_t plan_reader::site_of(const std::string& name, const std::string& place) {
  const auto [at, is_new] =
    sites_.emplace(name + '\n' + place, static_cast<std::uint32_t>(plan_.sites.size()));
  if(is_new)
    plan_.sites.push_back({name, place});
  return at->second;
}

std::uint32_t plan_reader::role_of(const role& all) {
  const std::uint64_t hash = hash_of(all);
  const auto [first, last] = roles_.equal_range(hash);
  for(auto at = first; at != last; ++at)
    if(whole_[at->second] == all)
      return at->second;
  const auto n = static_cast<std::uint32_t>(whole_.size());
  roles_.emplace(hash, n);
  whole_.push_back(all);
  plan_.roles.push_back(with_loop(all));
  return n;
}

void plan_reader::add(timeline_rank r) {
  if(r.rank != plan_.ranks.size())
    throw std::runtime_error("the plan lacks rank " + std::to_string(plan_.ranks.size()));
  for(const timeline_lane& l : r.lanes)
    if(l.dropped != 0)
      throw std::runtime_error(
        "the program launches too much to be planned whole; plan fewer passes");
  plan_.workers = r.workers;
  auto [all, made] =
    rank_maker(std::move(r)).result([this](const std::string& name, const std::string& place) {
      return site_of(name, place);
    });
  made.role = role_of(all);
  plan_.ranks.push_back(std::move(made));
}

plan plan_reader::take(std::uint32_t ranks) {
  if(plan_.ranks.size() != ranks || ranks == 0)
    throw std::runtime_error("the plan has " + std::to_string(plan_.ranks.size()) + " of " +
                             std::to_string(ranks) + " ranks");
  return std::move(plan_);
}

plan read_plan(const std::string& file) {
  detail::timeline_stream from(file);
  detail::timeline t;
  plan_reader reader;
  while(from.next(t)) {
    for(timeline_rank& r : t.ranks)
      reader.add(std::move(r));
    t.ranks.clear();
  }
  return reader.take(t.ranks_of_run);
}

} // namespace rondo::simulate
