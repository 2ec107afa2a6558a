// Messages for a task that looks at an element that it may not look at, or that isn't there.
#include <algorithm>
#include <string>
#include <string_view>

#include <rondo/distributed/block_limits.hpp>

#include "still.hpp"
#include "text.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// Tasks rarely look at neighbours that are farther away: a mistake of more points has another reason than a thin halo.
constexpr std::int64_t most_of_neighbours = 4;

/// Of an element, or a row, of which the first coordinate is not known.
class refusal {
public:
  refusal(const block_limits& in, const element_access& a, bool is_row)
      : in_(in), a_(a), is_row_(is_row) {}

  void wrong_coordinates() const {
    static const char* const names[] = {"u()", "u(i)", "u(i, j)", "u(i, j, k)"};
    static const char* const rows[] = {"", "", "u.row(j)", "u.row(j, k)"};
    const unsigned wanted = in_.mesh.dimensions;
    const std::string used = is_row_ ? rows[a_.coordinates] : names[a_.coordinates];
    if(is_row_ && wanted == 1)
      return say(checked_mistake::wrong_coordinates, "it has no rows, and is used as in " + used,
        "write u(i)");
    const std::string right = is_row_ ? rows[wanted] : names[wanted];
    say(checked_mistake::wrong_coordinates,
      std::string("its ") + (in_.mesh.has_elements ? "elements" : "points") + " have " +
        std::to_string(wanted) + (wanted == 1 ? " coordinate" : " coordinates") +
        ", and it is used as in " + used,
      "write " + right);
  }
  void no_right_to_owned() const {
    say(checked_mistake::own_element, it() + " is its own, and " + declared() + " sees ghosts only",
      "declare " + accessor_with(ro, a_.ghosts));
  }
  void no_right_to_ghosts() const {
    say(checked_mistake::ghost,
      it() + " belongs to another color, and " + declared() + " sees no ghosts",
      "declare " + accessor_with(a_.owned, ro));
  }
  void deeper_than_declared() const {
    const std::int64_t n = beyond_owned();
    say(checked_mistake::deeper_than_declared,
      it() + " is " + std::to_string(n) + (n == 1 ? " point" : " points") + " beyond these, and " +
        accessor_with(a_.owned, a_.ghosts, a_.depth) + " sees ghosts no deeper than " +
        std::to_string(a_.depth),
      "declare " + accessor_with(a_.owned, a_.ghosts, static_cast<int>(n)));
  }
  [[nodiscard]] bool is_deeper_than_declared() const {
    return a_.depth != whole_halo && beyond_owned() > a_.depth;
  }
  void not_there() const {
    const mesh_outline& m = in_.mesh;
    if(m.has_elements)
      return say(checked_mistake::no_such_value,
        it() + " is neither its own nor one of its ghosts" + ghosts(),
        "loop over what the view says; elements are numbered in each color, from 0, and ghosts "
        "are behind its own");
    if(!m.has_points)
      return say(checked_mistake::no_such_value, it() + " is not there",
        "the mesh, or topology, decides how many there are");
    unsigned axes = 0;
    std::int64_t most = 0;
    bool is_too_far = false;
    for(unsigned a = is_row_ ? 1 : 0; a != m.dimensions; ++a) {
      const std::int64_t here = a_.at[a];
      if(!m.periodic[a] && (here < m.points.lo[a] - m.beyond || here >= m.points.hi[a] + m.beyond))
        return say(checked_mistake::outside_of_mesh,
          it() + " is outside of the mesh, " + text_of(m.points, m.dimensions) + beyond(),
          "loop over m.owned(), or over m.interior() where neighbours are used");
      const std::int64_t beyond = std::max(in_.owned.lo[a] - here, here - in_.owned.hi[a] + 1);
      if(beyond <= 0)
        continue;
      ++axes;
      most = std::max(most, beyond);
      is_too_far = is_too_far || beyond > m.halo[a];
    }
    if(most > most_of_neighbours)
      return say(a_.ghosts == na ? checked_mistake::not_owned : checked_mistake::beyond_halo,
        it() + " is " + std::to_string(most) + " points beyond these, in a mesh with the points " +
          text_of(m.points, m.dimensions),
        "loop over what the view of this mesh says; are meshes or fields exchanged where the task "
        "is launched?");
    if(a_.ghosts == na)
      return say(checked_mistake::not_owned,
        it() + " is not among these, and " + declared() + " sees no others",
        "loop over m.owned(); to read neighbours declare " + accessor_with(a_.owned, ro));
    if(is_too_far)
      return say(checked_mistake::beyond_halo,
        it() + " is " + std::to_string(most) + (most == 1 ? " point" : " points") +
          (in_.has_thinner_halo ? " beyond these, and this field has a halo of "
                                : " beyond these, and the mesh has a halo of ") +
          std::to_string(*std::max_element(m.halo.begin(), m.halo.end())),
        "make it with .halo = " + std::to_string(most));
    if(axes > 1 && !m.diagonals)
      return say(checked_mistake::across_corner,
        it() + " lies across a corner, and a color of this mesh sees no others there",
        "make it with .diagonals = true");
    say(checked_mistake::no_such_ghost, it() + " is none of its ghosts",
      "loop over what the view says");
  }

private:
  /// Along the axis on which it is farthest from what the color owns.
  [[nodiscard]] std::int64_t beyond_owned() const {
    std::int64_t most = 0;
    for(std::size_t a = is_row_ ? 1 : 0; a != 3; ++a)
      most = std::max({most, in_.owned.lo[a] - a_.at[a], a_.at[a] - in_.owned.hi[a] + 1});
    return most;
  }
  [[nodiscard]] std::string it() const {
    if(is_row_)
      return "row " + text_of(point<3>{a_.at[1], a_.at[2], 0}, a_.coordinates - 1);
    return name_of(in_, a_.at);
  }
  /// Of numbered elements: where these are.
  [[nodiscard]] std::string ghosts() const {
    if(in_.ghosts.empty())
      return ", of which it has none";
    box<3> all = in_.ghosts.front();
    for(const box<3>& b : in_.ghosts) {
      all.lo[0] = std::min(all.lo[0], b.lo[0]);
      all.hi[0] = std::max(all.hi[0], b.hi[0]);
    }
    return ", " + text_of(all, 1);
  }
  [[nodiscard]] std::string beyond() const {
    const std::int64_t n = in_.mesh.beyond;
    return n == 0 ? ""
                  : ", and further than " + std::to_string(n) + (n == 1 ? " point" : " points") +
                      " beyond its end";
  }
  [[nodiscard]] std::string declared() const { return accessor_with(a_.owned, a_.ghosts); }

  void say(checked_mistake m, const std::string& what, const std::string& to_do) const {
    refuse_use(m, in_, what, to_do);
  }

  const block_limits& in_;
  const element_access& a_;
  bool is_row_;
};

/// An only value needs no coordinate.
bool may_leave_out(const block_limits& in, unsigned coordinates) {
  return coordinates == 0 && !in.mesh.has_points && !in.mesh.has_elements && in.owned.size() == 1;
}

/// Of rows the first coordinate doesn't matter.
bool contains(box<3> b, const point<3>& p, bool is_row) {
  if(is_row && b.lo[0] < b.hi[0]) {
    b.lo[0] = p[0];
    b.hi[0] = p[0] + 1;
  }
  return b.contains(p);
}

void check(const block_limits& in, const element_access& a, bool is_row) {
  const refusal refuse(in, a, is_row);
  if(a.coordinates != in.mesh.dimensions && !may_leave_out(in, a.coordinates))
    return refuse.wrong_coordinates();
  const bool is_owned = contains(in.owned, a.at, is_row);
  if(is_owned && a.owned != na)
    return;
  const auto ghosts = std::find_if(
    in.ghosts.begin(), in.ghosts.end(), [&](const box<3>& b) { return contains(b, a.at, is_row); });
  const bool is_ghost = ghosts != in.ghosts.end();
  if(is_ghost && a.ghosts != na) {
    if(refuse.is_deeper_than_declared())
      refuse.deeper_than_declared();
    if(a.ghosts == still && !is_row)
      note_look(in, static_cast<std::size_t>(ghosts - in.ghosts.begin()), a.at);
    return;
  }
  if(is_owned)
    refuse.no_right_to_owned();
  else if(is_ghost)
    refuse.no_right_to_ghosts();
  else
    refuse.not_there();
}

} // namespace

void check_name(const block_limits& in, const char* name, std::int64_t number) {
  const char* const own = in.mesh.element;
  if(own == nullptr || own == name || std::string_view(own) == name)
    return;
  refuse_use(checked_mistake::wrong_kind, in,
    std::string("it has a value for each ") + own + ", and is asked for " + name + ' ' +
      std::to_string(number),
    std::string("take a ") + own +
      ", or launch the task with a field of the kind that it is written for");
}

void check_element(const block_limits& in, const element_access& a) { check(in, a, false); }
void check_row(const block_limits& in, const element_access& a) { check(in, a, true); }

} // namespace rondo::detail::inline distributed
