// A template that is there: what it has of the flow's regions, and which of its launches used them last.

#include <rondo/tracing/template.hpp>

#include <algorithm>

namespace rondo::detail::inline tracing {

trace_template::~trace_template() {
  release_regions();
  for(const slot& s : slots)
    --s.of->templates;
}

/// All launches.
void trace_template::last_events(std::vector<awaited>& into) const {
  for(std::uint32_t i = 0; i != size_; ++i)
    if(progress* const p = nodes_[i].folded != nullptr ? nodes_[i].folded : nodes_[i].done)
      into.push_back({p, i < next ? round + 1 : round});
}

/// Others have used it, and what comes now is ours.
void trace_template::own(std::uint32_t which) {
  slot& s = slots[which];
  s.turn = s.of->entered();
  s.of->owner = this;
  s.of->slot = which;
  lost -= s.is_owned ? 0 : 1;
  s.is_owned = true;
}

void trace_template::release_regions() {
  for(slot& s : slots)
    if(s.is_owned) {
      s.is_owned = false;
      ++lost;
      s.of->owner = nullptr;
    }
}

void trace_template::begin_again() {
  release_regions();
  for(std::uint32_t i = 0; i != event_count_; ++i)
    events_[i].begin_again();
}

std::uint32_t trace_template::launches_between(std::uint32_t first, std::uint32_t end) const {
  std::uint32_t n = 0;
  for(; first != end; ++first)
    n += nodes_[first].is_join() ? 0 : 1;
  return n;
}

std::uint32_t trace_template::place_in(const trace_template& other, std::uint32_t at) const {
  std::uint32_t there = other.next_launch(0);
  for(std::uint32_t i = next_launch(0); i < at; i = next_launch(i + 1)) {
    if(there == other.size() || nodes_[i].hash != other.nodes_[there].hash)
      return no_place;
    there = other.next_launch(there + 1);
  }
  return there;
}

bool trace_template::names(const region_base& r) const {
  return std::any_of(slots.begin(), slots.end(), [&r](const slot& s) { return s.of == &r; });
}

void trace_template::last_uses(std::uint32_t which, std::vector<awaited>& into) const {
  if(begun == 0)
    return;
  const slot& s = slots[which];
  if(all_done != nullptr && s.is_left_out) {
    into.push_back({all_done, 1});
    return;
  }
  if(waits_for_all(which)) {
    last_events(into);
    return;
  }
  if(s.is_left_out) {
    for(const edge& e : s.last)
      into.push_back({&e.from(), e.turn(round)});
    return;
  }
  const auto begin = accesses_.begin() + s.first;
  const auto end = begin + s.count;
  const auto launched =
    std::partition_point(begin, end, [this](const access& a) { return a.node < next; });
  access_mode group = access_mode::none;
  // Returns false if the group is complete.
  const auto use = [&](const access& a, std::uint64_t turn) {
    if(group != access_mode::none && (group == access_mode::write || group != a.mode))
      return false;
    group = a.mode;
    const template_node& n = nodes_[a.node];
    into.push_back({a.mode == access_mode::reduce ? n.folded : n.done, turn});
    return group != access_mode::write && group != access_mode::reduce; // folds are in order
  };
  for(auto i = launched; i != begin; --i)
    if(!use(*(i - 1), round + 1))
      return;
  if(round != 0)
    for(auto i = end; i != launched; --i)
      if(!use(*(i - 1), round))
        return;
}

} // namespace rondo::detail::inline tracing
