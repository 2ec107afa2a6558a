// Launches that may run side by side are cut into as many ranges as there are lanes; later ones follow
// what they write.

#include <rondo/tracing/loop_lanes.hpp>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include <rondo/tracing/batch.hpp>
#include <rondo/tracing/template.hpp>

#include "launched.hpp"

namespace rondo::detail::inline tracing {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

using nodes_of_events = std::unordered_map<const progress*, std::uint32_t>;

nodes_of_events find_events(const trace_template& t) {
  nodes_of_events found;
  for(std::uint32_t i = 0; i != t.size(); ++i)
    for(const progress* const end : {t[i].done, t[i].folded})
      if(end != nullptr)
        found[end] = i;
  return found;
}

/// For each launch the longest way to it from the begin of the pass; those of one level may run side
/// by side.
std::vector<std::uint32_t> levels_of(const trace_template& t, const nodes_of_events& of_event) {
  std::vector<std::uint32_t> level(t.size(), 0);
  for(std::uint32_t i = 0; i != t.size(); ++i) {
    const template_node& n = t[i];
    for(const edge* e = n.edges; e != n.edges + n.edge_count; ++e)
      if(const std::uint32_t before = of_event.at(&e->from()); e->is_in_pass() && before < i)
        level[i] = std::max(level[i], level[before] + 1);
  }
  return level;
}

/// How long passes take, one after the other, if each launch takes 1: those of a lane in their order, or, if
/// there are no lanes, each as soon as what it waits for has ended.
class rehearsal {
public:
  rehearsal(const trace_template& t, const nodes_of_events& of_event,
    const std::vector<std::uint32_t>* lane_of, std::uint32_t lanes)
      : t_(t), of_event_(of_event), lane_of_(lane_of), end_(t.size(), 0), of_lane_(lanes, 0) {}

  double time_of_pass() {
    constexpr int first = 2, more = 4; // at first there is nothing to wait for
    for(int i = 0; i != first; ++i)
      pass();
    const std::uint64_t before = now_;
    for(int i = 0; i != more; ++i)
      pass();
    return static_cast<double>(now_ - before) / more;
  }

private:
  void pass() {
    const std::vector<std::uint64_t> before = end_;
    for(std::uint32_t i = 0; i != t_.size(); ++i) {
      const template_node& n = t_[i];
      if(n.is_left_out)
        continue;
      std::uint64_t begin = lane_of_ != nullptr ? of_lane_[(*lane_of_)[i]] : 0;
      for(const edge* e = n.edges; e != n.edges + n.edge_count; ++e) {
        const std::uint32_t from = of_event_.at(&e->from());
        begin = std::max(begin, e->is_in_pass() ? end_[from] : before[from]);
      }
      end_[i] = begin + 1;
      now_ = std::max(now_, end_[i]);
      if(lane_of_ != nullptr)
        of_lane_[(*lane_of_)[i]] = end_[i];
    }
  }

  const trace_template& t_;
  const nodes_of_events& of_event_;
  const std::vector<std::uint32_t>* lane_of_;
  std::vector<std::uint64_t> end_; ///< Of each launch, the last time.
  std::vector<std::uint64_t> of_lane_;
  std::uint64_t now_ = 0;
};

class assignment {
public:
  assignment(const trace_template& t, std::uint32_t lanes)
      : t_(t), lane_of_slot_(t.slots.size(), none), load_(lanes, 0), lane_of_(t.size()) {}

  /// Those of a level.
  void place(const std::vector<std::uint32_t>& launches) {
    std::vector<std::uint32_t> fresh;
    for(const std::uint32_t i : launches)
      if(const std::uint32_t lane = known_lane(i); lane != none)
        put(i, lane);
      else
        fresh.push_back(i);
    for(std::size_t k = 0; k != fresh.size(); ++k)
      put(fresh[k], fresh.size() < load_.size()
                      ? best_lane(fresh[k])
                      : static_cast<std::uint32_t>(k * load_.size() / fresh.size()));
  }

  [[nodiscard]] bool is_even() const {
    const std::uint64_t most = *std::max_element(load_.begin(), load_.end());
    const std::uint64_t all = std::accumulate(load_.begin(), load_.end(), std::uint64_t{0});
    return 2 * most * load_.size() <= 3 * all;
  }
  [[nodiscard]] std::vector<std::uint32_t> take() { return std::move(lane_of_); }

private:
  /// Of the region that it changes; null: it uses none.
  [[nodiscard]] const std::uint32_t* main_slot(std::uint32_t i) const {
    const template_node& n = t_[i];
    for(std::size_t a = 0; a != n.kind->accesses; ++a)
      if(n.kind->modes[a] != access_mode::read)
        return &n.slots[a];
    return n.kind->accesses != 0 ? n.slots : nullptr;
  }
  [[nodiscard]] std::uint32_t known_lane(std::uint32_t i) const {
    const std::uint32_t* const slot = main_slot(i);
    return slot != nullptr ? lane_of_slot_[*slot] : none;
  }
  /// That of something else that it uses, or that with the least to do.
  [[nodiscard]] std::uint32_t best_lane(std::uint32_t i) const {
    const template_node& n = t_[i];
    for(std::size_t a = 0; a != n.kind->accesses; ++a)
      if(lane_of_slot_[n.slots[a]] != none)
        return lane_of_slot_[n.slots[a]];
    return static_cast<std::uint32_t>(std::min_element(load_.begin(), load_.end()) - load_.begin());
  }
  void put(std::uint32_t i, std::uint32_t lane) {
    lane_of_[i] = lane;
    ++load_[lane];
    if(const std::uint32_t* const slot = main_slot(i); slot != nullptr)
      lane_of_slot_[*slot] = lane;
  }

  const trace_template& t_;
  std::vector<std::uint32_t> lane_of_slot_;
  std::vector<std::uint32_t> load_; ///< Of each lane.
  std::vector<std::uint32_t> lane_of_;
};

} // namespace

loop_lanes loop_lanes::find(const trace_template& t, unsigned workers) {
  const std::vector<std::uint32_t> level = levels_of(t, find_events(t));
  std::vector<std::vector<std::uint32_t>> by_level(
    *std::max_element(level.begin(), level.end()) + 1);
  for(std::uint32_t i = 0; i != t.size(); ++i)
    if(!t[i].is_left_out)
      by_level[level[i]].push_back(i);
  const auto width = static_cast<std::uint32_t>(launched_in_pass(t) / by_level.size());

  loop_lanes found{.lane_of = std::vector<std::uint32_t>(t.size(), 0),
    .fair_share = width < 2 ? batch::most : std::max(1U, width / workers)};
  const std::uint32_t lanes = std::min({workers, width, crew_room::most});
  if(lanes < 2)
    return found;
  assignment to(t, lanes);
  for(const auto& of_level : by_level)
    to.place(of_level);
  if(to.is_even()) {
    found.count = lanes;
    found.lane_of = to.take();
  }
  return found;
}

bool loop_lanes::keeps_all_busy(const trace_template& t) const {
  constexpr double worthwhile = 1.1;
  const nodes_of_events of_event = find_events(t);
  const double in_lanes = rehearsal(t, of_event, &lane_of, count).time_of_pass();
  const double at_best = std::max(rehearsal(t, of_event, nullptr, 0).time_of_pass(),
    static_cast<double>(launched_in_pass(t)) / count);
  return in_lanes <= worthwhile * at_best;
}

void trace_template::look_in_own_lane_first(const std::vector<std::uint32_t>& lane_of) {
  const nodes_of_events of_event = find_events(*this);
  for(std::uint32_t i = 0; i != size_; ++i) {
    if(nodes_[i].edge_count == 0)
      continue; // those that are left out have no place for any
    const auto is_own = [&](
                          const edge& e) { return lane_of[of_event.at(&e.from())] == lane_of[i]; };
    const auto first = edges_.begin() + (nodes_[i].edges - edges_.data());
    const auto others = std::stable_partition(first, first + nodes_[i].edge_count, is_own);
    nodes_[i].own_edge_count = static_cast<std::uint32_t>(others - first);
  }
}

void trace_template::deal_out(unsigned workers) {
  const loop_lanes found = loop_lanes::find(*this, workers);
  lanes_ = found.count > 1 && found.keeps_all_busy(*this) ? found.count : 1;
  for(std::uint32_t i = 0; i != size_; ++i)
    nodes_[i].lane =
      has_lanes() && !nodes_[i].is_left_out ? found.lane_of[i] : template_node::no_lane;
  if(has_lanes())
    look_in_own_lane_first(found.lane_of);
}

} // namespace rondo::detail::inline tracing
