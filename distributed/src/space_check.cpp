#include "space_check.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace rondo::detail::inline distributed {

void refuse_space(const std::string& name, const std::string& why) {
  throw std::invalid_argument("rondo::topo::made_of: " + name + ": " + why);
}

namespace {

struct checked_color {
  const std::string& name;
  color_id color;

  [[noreturn]] void refuse(const std::string& why) const {
    refuse_space(name, "color " + std::to_string(color) + ": " + why + " (docs/topologies.md)");
  }
};

std::string of_color(color_id c) { return "color " + std::to_string(c); }

/// The numbers are `first` to `last`, without `last`.
bool is_within(const selection& s, std::int64_t first, std::int64_t last) {
  const auto is_inside = [&](const box<3>& b) {
    return b.lo[0] >= first && b.hi[0] <= last && b.lo[1] == 0 && b.hi[1] == 1 && b.lo[2] == 0 &&
           b.hi[2] == 1;
  };
  const std::vector<box<3>> all = s.boxes();
  return s.size() == 0 || std::all_of(all.begin(), all.end(), is_inside);
}

std::string numbers(std::int64_t first, std::int64_t last) {
  return describe(selection::of_range(first, last));
}

/// No element is in two of these, or in one of them twice.
void check_once(const checked_color& at, std::vector<box<3>> boxes) {
  std::sort(
    boxes.begin(), boxes.end(), [](const box<3>& a, const box<3>& b) { return a.lo[0] < b.lo[0]; });
  for(std::size_t k = 1; k < boxes.size(); ++k)
    if(boxes[k].lo[0] < boxes[k - 1].hi[0])
      at.refuse("element " + std::to_string(boxes[k].lo[0]) +
                " is a ghost twice; each ghost is of one neighbour, and listed there once");
}

} // namespace

void check_color(
  const index_space& space, color_id color, std::uint64_t colors, const std::string& name) {
  const checked_color at{name, color};
  const block_layout layout = space.layout(color);
  if(layout.elements < 0 || layout.origin != 0)
    at.refuse("its elements have to be numbered from 0, in a row; layout() returns "
              "topo::block_layout::in_a_row(owned and ghosts)");
  const selection owned = space.owned(color);
  const std::int64_t n = owned.size();
  if(n > layout.elements || !(owned == selection::of_range(0, n)))
    at.refuse("its own elements have to be the first ones, and are " + describe(owned) + " of " +
              std::to_string(layout.elements) +
              "; owned() returns topo::selection::of_range(0, how many)");
  std::vector<box<3>> ghosts;
  std::vector<std::uint64_t> neighbours;
  for(const neighbour& other : space.neighbours(color)) {
    const std::string of = " of " + of_color(other.color);
    if(other.color >= colors)
      at.refuse(
        "its neighbour is " + of_color(other.color) + ", and there are " + std::to_string(colors));
    neighbours.push_back(other.number);
    if(!is_within(other.ghosts, n, layout.elements))
      at.refuse("its ghosts" + of + " are " + describe(other.ghosts) +
                "; ghosts are numbered behind what it owns: " + numbers(n, layout.elements));
    if(other.ghosts.size() != other.source.size())
      at.refuse("it has " + std::to_string(other.ghosts.size()) + " ghosts" + of + ", and " +
                std::to_string(other.source.size()) +
                " elements there as their source; these are the same, in the same order");
    if(!is_within(other.source, 0, space.owned(other.color).size()))
      at.refuse(
        "its ghosts come from " + describe(other.source) + of + ", which doesn't own all of these");
    if(!is_within(other.rim, 0, n))
      at.refuse("its rim for " + of_color(other.color) + " is " + describe(other.rim) +
                "; it owns " + numbers(0, n));
    if(other.ghosts.size() != 0 && !space.has_ghosts())
      at.refuse("it has ghosts, but has_ghosts() says that no color has any");
    if(other.ghosts.size() != 0)
      for(const box<3>& b : other.ghosts.boxes())
        ghosts.push_back(b);
  }
  check_once(at, std::move(ghosts));
  std::sort(neighbours.begin(), neighbours.end());
  if(std::adjacent_find(neighbours.begin(), neighbours.end()) != neighbours.end())
    at.refuse("two of its neighbours have the same number, by which messages are ordered");
}

void check_neighbours(const index_space& space, color_id color, const std::string& name) {
  const checked_color at{name, color};
  for(const neighbour& other : space.neighbours(color)) {
    const std::vector<neighbour> there = space.neighbours(other.color);
    const auto back = std::find_if(there.begin(), there.end(),
      [&](const neighbour& n) { return n.color == color && n.number == other.number_there; });
    const std::string it = of_color(other.color);
    if(back == there.end() || back->number_there != other.number)
      at.refuse("it has " + it +
                " as its neighbour, which doesn't have it as the neighbour with number " +
                std::to_string(other.number_there) + "; neighbours are mutual");
    if(!(back->rim == other.source))
      at.refuse("it sees " + describe(other.source) + " of " + it + ", which shows " +
                describe(back->rim) + "; `rim` there is `source` here, in the same order");
    if(!(back->source == other.rim))
      at.refuse("it shows " + describe(other.rim) + " to " + it + ", which sees " +
                describe(back->source) + "; `source` there is `rim` here, in the same order");
  }
}

} // namespace rondo::detail::inline distributed
