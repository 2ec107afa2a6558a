// Launches that may run side by side are cut into as many ranges as there are lanes; later ones follow
// what they write.

#include <rondo/tracing/loop_lanes.hpp>

#include <algorithm>
#include <unordered_map>

#include <rondo/tracing/batch.hpp>
#include <rondo/tracing/template.hpp>

namespace rondo::detail {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// For each launch the longest way to it from the begin of the pass; those of one level may run side
/// by side.
std::vector<std::uint32_t> levels_of(const trace_template& t) {
  std::vector<std::uint32_t> level(t.size(), 0);
  std::unordered_map<const progress*, std::uint32_t> of_event;
  for(std::uint32_t i = 0; i != t.size(); ++i) {
    const template_node& n = t[i];
    for(std::uint32_t e = 0; e != n.edge_count; ++e)
      if(const auto before = of_event.find(&n.edges[e].from());
         before != of_event.end() && n.edges[e].is_in_pass())
        level[i] = std::max(level[i], before->second + 1);
    for(const progress* const end : {n.done, n.folded})
      if(end != nullptr)
        of_event[end] = level[i];
  }
  return level;
}

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
    return 2 * most * load_.size() <= 3 * std::uint64_t{t_.size()};
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
  const std::vector<std::uint32_t> level = levels_of(t);
  std::vector<std::vector<std::uint32_t>> by_level(
    *std::max_element(level.begin(), level.end()) + 1);
  for(std::uint32_t i = 0; i != t.size(); ++i)
    by_level[level[i]].push_back(i);
  const auto width = static_cast<std::uint32_t>(t.size() / by_level.size());

  loop_lanes found{.lane_of = std::vector<std::uint32_t>(t.size(), 0),
    .fair_share = width < 2 ? batch::most : std::max(1U, width / workers)};
  const std::uint32_t lanes = std::min({workers, width, crew_room::most});
  if(lanes < 2)
    return found;
  assignment to(t, lanes);
  for(const auto& launches : by_level)
    to.place(launches);
  if(to.is_even()) {
    found.count = lanes;
    found.lane_of = to.take();
  }
  return found;
}

} // namespace rondo::detail
