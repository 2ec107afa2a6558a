#include <rondo/distributed/neighbour_colors.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/distributed/color_carrier.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/row_store.hpp>

namespace rondo::detail::inline distributed {

void element_owners::refuse(const point<3>& p, const char* what) const {
  std::string at;
  const std::size_t axes = p[2] != 0 ? 3 : p[1] != 0 ? 2 : 1;
  for(std::size_t a = 0; a != axes; ++a)
    at.append(a == 0 ? "" : ", ").append(std::to_string(p[a]));
  throw std::logic_error(
    "rondo: particles '" + std::string(what) + "': one of color " + std::to_string(color) +
    " has moved to the cell (" + at +
    "), which the color doesn't see; make the steps shorter, or the mesh with a "
    "deeper halo, and with diagonals if particles go across corners");
}

namespace {

void sort_once(std::vector<color_id>& colors) {
  std::sort(colors.begin(), colors.end());
  colors.erase(std::unique(colors.begin(), colors.end()), colors.end());
}

} // namespace

neighbour_colors::neighbour_colors(const topology& mesh)
    : colors_(mesh.colors()), mine_(mesh.mine()), has_ghosts_(false) {
  const topology_state& state = *mesh.share();
  const exchange_plan& plan = state.elements().plan;
  has_ghosts_ = state.elements().has_ghosts;
  std::vector<of_color> all(mine_.size());
  struct seen_here {
    color_id whose;
    const selection* ghosts;
  };
  std::vector<std::vector<seen_here>> ghosts(mine_.size());
  for(const exchange_plan::copy& c : plan.copies) {
    ghosts[c.destination].push_back({mine_[c.source], &c.to});
    all[c.source].seen_by.push_back(mine_[c.destination]);
  }
  for(const exchange_plan::message& m : plan.incoming)
    for(const exchange_plan::part& p : m.parts)
      ghosts[p.color].push_back({p.peer_color, &p.elements});
  for(const exchange_plan::message& m : plan.outgoing)
    for(const exchange_plan::part& p : m.parts)
      all[p.color].seen_by.push_back(p.peer_color);
  for(std::size_t c = 0; c != all.size(); ++c) {
    of_color& its = all[c];
    its.owners.color = mine_[c];
    its.owners.own = state.elements().owned[c].boxes();
    if(!its.owners.own.empty())
      its.owners.first = its.owners.own.front();
    for(const seen_here& s : ghosts[c])
      its.seen.push_back(s.whose);
    for(auto* const list : {&its.seen, &its.seen_by}) {
      sort_once(*list);
      std::erase(*list, mine_[c]);
    }
    for(const seen_here& s : ghosts[c]) {
      const auto at = std::lower_bound(its.seen.begin(), its.seen.end(), s.whose);
      const std::int64_t number = s.whose == mine_[c] ? 0 : at - its.seen.begin() + 1;
      for(const box<3>& b : s.ghosts->boxes())
        its.owners.others.push_back({b, number});
    }
  }
  all_ = std::make_shared<const std::vector<of_color>>(std::move(all));
}

namespace {

void put(parcel& p, const neighbour_colors::of_color& c) {
  p.put(c.seen);
  p.put(c.seen_by);
  p.put(c.owners.color);
  p.put(c.owners.first);
  p.put(c.owners.own);
  p.put(c.owners.others);
}

neighbour_colors::of_color take(parcel_reader& p) {
  neighbour_colors::of_color c;
  c.seen = p.take<color_id>();
  c.seen_by = p.take<color_id>();
  c.owners.color = p.take_one<color_id>();
  c.owners.first = p.take_one<box<3>>();
  c.owners.own = p.take<box<3>>();
  c.owners.others = p.take<element_owners::of_neighbour>();
  return c;
}

} // namespace

void neighbour_colors::move(const color_carrier& carrier) {
  const std::vector<of_color>& before = *all_;
  all_ = std::make_shared<const std::vector<of_color>>(
    carrier.carry<of_color>([&](std::size_t c, parcel& p) { put(p, before[c]); }, take,
      [&](std::size_t c) { return before[c]; }));
  mine_ = carrier.to();
}

block_layout neighbour_colors::layout(color_id color) const {
  return block_layout::in_a_row(1 + static_cast<std::int64_t>(part_of(color).color->seen.size()));
}

selection neighbour_colors::owned(color_id /*any*/) const { return selection::of_range(0, 1); }

std::vector<neighbour> neighbour_colors::neighbours(color_id color) const {
  std::vector<neighbour> all;
  const selection one = selection::of_range(0, 1);
  const auto is_in = [](const std::vector<color_id>& list, color_id c) {
    return std::binary_search(list.begin(), list.end(), c);
  };
  if(!mine_.contains(color)) { // from the other side
    for(std::size_t local = 0; local != mine_.size(); ++local) {
      const of_color& other = of(local);
      const color_id here = mine_[local];
      const bool is_seen = is_in(other.seen_by, color); // by `color`
      const bool sees = is_in(other.seen, color);
      if(is_seen || sees)
        all.push_back(
          {here, here, color, {}, is_seen ? one : selection(), sees ? one : selection()});
    }
    return all;
  }
  const of_color& its = *part_of(color).color;
  std::vector<color_id> with = its.seen;
  with.insert(with.end(), its.seen_by.begin(), its.seen_by.end());
  sort_once(with);
  for(const color_id c : with) {
    const auto at = std::lower_bound(its.seen.begin(), its.seen.end(), c);
    const bool sees = at != its.seen.end() && *at == c;
    const std::int64_t number = at - its.seen.begin() + 1;
    all.push_back({c, c, color, sees ? selection::of_range(number, number + 1) : selection(),
      sees ? one : selection(), is_in(its.seen_by, c) ? one : selection()});
  }
  return all;
}

void note_owners(field_state& f, const neighbour_colors& space) {
  f.owners_of_cells = &space;
  for(std::size_t c = 0; c != f.elements().layouts.size(); ++c)
    f.rows(c).note_owners(space.of(c).owners);
}

} // namespace rondo::detail::inline distributed
