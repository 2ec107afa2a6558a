// Meshes, put together on ranks of this process, against what is found in the whole mesh.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/meshes/assemble.hpp>
#include <rondo/meshes/cut.hpp>
#include <rondo/meshes/mesh_space.hpp>

#include "distributed/teams.hpp"

#include "mesh_oracle.hpp"

using namespace rondo;
using detail::assembly_options;
using detail::color_elements;
using detail::color_mesh;
using detail::element_kinds;
using detail::element_table;
using detail::mesh_of_rank;
using random_meshes::draw;
using random_meshes::elements;
using random_meshes::ids;
using random_meshes::oracle;
using random_meshes::whole_mesh;

namespace {

constexpr element_kind all_kinds[] = {
  element_kind::cells, element_kind::faces, element_kind::edges, element_kind::vertices};

bool is_table(element_kind from, element_kind to) {
  return from != to || from == element_kind::cells || from == element_kind::vertices;
}

detail::mesh_wish everything() {
  detail::mesh_wish w;
  for(const element_kind from : all_kinds) {
    w.kinds[detail::index_of(from)] = true;
    for(const element_kind to : all_kinds)
      w.tables[detail::index_of(from)][detail::index_of(to)] = is_table(from, to);
  }
  return w;
}

/// Each cell has any color, each color a cell.
std::vector<color_id> random_colors(std::uint64_t seed, std::size_t cells, color_id colors) {
  std::vector<color_id> all(cells);
  for(std::size_t c = 0; c != cells; ++c)
    all[c] = c < colors ? c
                        : static_cast<color_id>(
                            draw(seed, 5'000'000 + c, 0, static_cast<std::int64_t>(colors) - 1));
  random_meshes::shuffle(all, seed + 7);
  return all;
}

std::vector<color_id> bisected(const whole_mesh& w, color_id colors) {
  std::vector<position> centers;
  for(std::size_t c = 0; c != w.cells.size(); ++c)
    centers.push_back(w.center(c));
  detail::team one;
  return cut_by_bisection(one, {0, static_cast<std::int64_t>(centers.size()), centers}, colors);
}

/// A mesh, how it is cut, and what is to come out.
struct test_case {
  std::uint64_t seed;
  whole_mesh mesh;
  std::vector<color_id> color;
  assembly_options options;

  [[nodiscard]] oracle truth() const {
    return {mesh, color, options.ghost_layers, options.over == element_kind::faces};
  }
  [[nodiscard]] mesh_of_rank on(detail::team& all) const {
    return detail::assemble(
      all, random_meshes::piece_of(mesh, seed + all.ranks(), all.rank(), all.ranks()), options);
  }
};

test_case random_case(std::uint64_t seed) {
  test_case t{.seed = seed, .mesh = random_meshes::random_mesh(seed), .color = {}, .options = {}};
  const auto cells = static_cast<std::int64_t>(t.mesh.cells.size());
  t.options.colors = static_cast<color_id>(draw(seed, 150, 1, std::min<std::int64_t>(cells, 8)));
  t.options.ghost_layers = static_cast<unsigned>(draw(seed, 151, 0, 3));
  t.options.over = draw(seed, 152, 0, 1) != 0 ? element_kind::faces : element_kind::vertices;
  t.options.wish = everything();
  if(draw(seed, 153, 0, 2) == 0) {
    t.color = bisected(t.mesh, t.options.colors);
    t.options.cut = cut_by_bisection;
  }
  else {
    t.color = random_colors(seed, t.mesh.cells.size(), t.options.colors);
    t.options.cut = [color = t.color](detail::team&, const uncut_cells& c, color_id) {
      const auto first = color.begin() + c.first;
      return std::vector<color_id>(first, first + static_cast<std::ptrdiff_t>(c.centers.size()));
    };
  }
  return t;
}

/// What the elements of a color are in the whole mesh.
std::vector<ids> known_as(const color_mesh& m, element_kind k) {
  std::vector<ids> all;
  const color_elements& its = m.of(k);
  for(std::int64_t e = 0; e != its.all; ++e) {
    if(k == element_kind::cells || k == element_kind::vertices) {
      all.push_back({its.ids.at(static_cast<std::size_t>(e))});
      continue;
    }
    ids vertices;
    const auto [first, size] = m.table(k, element_kind::vertices).row(e);
    for(std::size_t n = 0; n != size; ++n)
      vertices.push_back(m.of(element_kind::vertices).ids.at(static_cast<std::size_t>(first[n])));
    all.push_back(random_meshes::sorted(vertices));
  }
  return all;
}

/// By colors and kinds.
using names = std::vector<std::array<std::vector<ids>, element_kinds>>;

/// Owned ones first, of these first those that nobody else sees; then ghosts, by their owners, in the order in which these have them.
bool is_in_order(const color_mesh& m, element_kind k, const oracle& o, const names& all) {
  const color_elements& its = m.of(k);
  const auto& here = all[m.color][detail::index_of(k)];
  std::pair<color_id, std::ptrdiff_t> last{0, -1};
  for(std::size_t e = 0; e != here.size(); ++e) {
    const auto n = static_cast<std::int64_t>(e);
    const color_id owner = o.owner(k, here[e]);
    if((owner == m.color) != (n < its.owned) ||
       (owner == m.color && o.is_seen_by_others(k, here[e]) != (n >= its.inner)))
      return false;
    if(owner == m.color)
      continue;
    const auto& there = all[owner][detail::index_of(k)];
    const std::pair at{owner, std::ranges::find(there, here[e]) - there.begin()};
    if(at <= last)
      return false;
    last = at;
  }
  return true;
}

bool are_rows_right(
  const color_mesh& m, element_kind from, element_kind to, const oracle& o, const names& all) {
  const auto& here = all[m.color][detail::index_of(from)];
  for(std::size_t e = 0; e != here.size(); ++e) {
    const auto [first, size] = m.table(from, to).row(static_cast<std::int64_t>(e));
    elements row;
    bool is_sorted = true;
    std::int64_t last = -1;
    const auto& ids_of_to = m.of(to).ids;
    for(std::size_t n = 0; n != size; ++n) {
      const auto at = static_cast<std::size_t>(first[n]);
      row.insert(all[m.color][detail::index_of(to)].at(at));
      const std::int64_t number = ids_of_to.empty() ? first[n] : ids_of_to[at];
      is_sorted = is_sorted && number > last;
      last = number;
    }
    const bool is_around = (from == element_kind::cells && to != element_kind::cells) ||
                           (from == element_kind::faces && to == element_kind::vertices);
    if(row.size() != size || row != o.row(from, to, here[e], m.color) || !(is_around || is_sorted))
      return false;
  }
  return true;
}

/// The corners of cells are in the order in which these were added.
bool are_corners_in_order(const color_mesh& m, const oracle& o, const names& all) {
  const auto& cells = all[m.color][0];
  for(std::size_t c = 0; c != cells.size(); ++c) {
    const auto [first, size] =
      m.table(element_kind::cells, element_kind::vertices).row(static_cast<std::int64_t>(c));
    ids corners;
    for(std::size_t n = 0; n != size; ++n)
      corners.push_back(all[m.color][3][static_cast<std::size_t>(first[n])][0]);
    if(corners != o.mesh().cells[static_cast<std::size_t>(cells[c][0])])
      return false;
  }
  return true;
}

bool are_positions_right(const color_mesh& m, const oracle& o, const names& all) {
  const auto& vertices = all[m.color][3];
  if(m.positions.size() != vertices.size())
    return false;
  for(std::size_t v = 0; v != vertices.size(); ++v)
    if(m.positions[v] != o.mesh().at.at(vertices[v][0]))
      return false;
  return true;
}

bool are_sets_right(
  const mesh_of_rank& r, const color_mesh& m, element_kind k, const oracle& o, const names& all) {
  if(m.of(k).sets.size() != r.sets.size())
    return false;
  for(std::size_t s = 0; s != r.sets.size(); ++s) {
    const auto& here = all[m.color][detail::index_of(k)];
    std::vector<std::int32_t> members;
    for(std::size_t e = 0; e != here.size(); ++e)
      if(o.is_member(r.sets[s], k, here[e]))
        members.push_back(static_cast<std::int32_t>(e));
    if(members != m.of(k).sets[s])
      return false;
  }
  return true;
}

/// With what the mesh is when one rank makes it.
void compare(const mesh_of_rank& r, const oracle& o) {
  REQUIRE(r.parts.size() == o.colors());
  CHECK(r.colors == o.colors());
  CHECK(r.dimension == o.mesh().dimension);
  std::vector<std::string> sets;
  for(const auto& [name, members] : o.mesh().sets)
    sets.push_back(name);
  CHECK(r.sets == sets);
  names all(r.parts.size());
  for(const color_mesh& m : r.parts)
    for(const element_kind k : all_kinds)
      all[m.color][detail::index_of(k)] = known_as(m, k);
  for(const element_kind k : all_kinds) {
    INFO("kind " << detail::index_of(k));
    CHECK(r.in_all[detail::index_of(k)] == static_cast<std::int64_t>(o.count(k)));
    bool has_ghosts = false;
    for(const color_mesh& m : r.parts) {
      INFO("color " << m.color);
      const auto& here = all[m.color][detail::index_of(k)];
      const elements seen(here.begin(), here.end());
      CHECK(seen.size() == here.size());
      REQUIRE(seen == o.visible(k, m.color));
      CHECK(is_in_order(m, k, o, all));
      CHECK(are_sets_right(r, m, k, o, all));
      has_ghosts = has_ghosts || m.of(k).owned != m.of(k).all;
      for(const element_kind to : all_kinds)
        if(is_table(k, to)) {
          INFO("table to " << detail::index_of(to));
          CHECK(are_rows_right(m, k, to, o, all));
        }
    }
    CHECK(r.has_ghosts[detail::index_of(k)] == has_ghosts);
  }
  for(const color_mesh& m : r.parts) {
    INFO("color " << m.color);
    CHECK(are_corners_in_order(m, o, all));
    CHECK(are_positions_right(m, o, all));
  }
}

class any_space final : public detail::mesh_space {
public:
  using mesh_space::mesh_space;
};

bool is_same(const element_table& a, const element_table& b, std::int64_t rows) {
  if(a.is_there() != b.is_there())
    return false;
  for(std::int64_t r = 0; a.is_there() && r != rows; ++r) {
    const auto [x, n] = a.row(r);
    const auto [y, m] = b.row(r);
    if(!std::equal(x, x + n, y, y + m))
      return false;
  }
  return true;
}

bool is_same(const color_elements& a, const color_elements& b) {
  return a.inner == b.inner && a.owned == b.owned && a.all == b.all && a.ids == b.ids &&
         a.sets == b.sets && a.owned_by == b.owned_by &&
         std::ranges::equal(a.neighbours, b.neighbours, [](const auto& m, const auto& n) {
           return m.color == n.color && m.number == n.number && m.number_there == n.number_there &&
                  m.ghosts == n.ghosts && m.source == n.source && m.rim == n.rim;
         });
}

bool is_same(const color_mesh& a, const color_mesh& b) {
  for(const element_kind from : all_kinds) {
    if(!is_same(a.of(from), b.of(from)))
      return false;
    for(const element_kind to : all_kinds)
      if(!is_same(a.table(from, to), b.table(from, to), a.of(from).all))
        return false;
  }
  return a.color == b.color && a.colors == b.colors && a.positions == b.positions;
}

/// On more ranks each has a share of the colors, as they are on one.
void compare_on(unsigned ranks, const test_case& t, const mesh_of_rank& alone) {
  std::vector<mesh_of_rank> made(ranks);
  on_team(ranks, [&](detail::team& all) { made[all.rank()] = t.on(all); });
  std::size_t next = 0;
  for(const mesh_of_rank& r : made) {
    CHECK(r.colors == alone.colors);
    CHECK(r.dimension == alone.dimension);
    CHECK(r.in_all == alone.in_all);
    CHECK(r.sets == alone.sets);
    CHECK(r.has_ghosts == alone.has_ghosts);
    for(const color_mesh& m : r.parts) {
      REQUIRE(next != alone.parts.size());
      INFO("color " << m.color << " on " << ranks << " ranks");
      CHECK(is_same(m, alone.parts[next++]));
    }
  }
  CHECK(next == alone.parts.size());
}

} // namespace

TEST_CASE("Colors of an unstructured mesh have and see what the whole mesh says") {
  for(std::uint64_t seed = 0; seed != 5 * meshes::seeds_of(30); ++seed) {
    const test_case t = random_case(seed);
    INFO("seed " << seed);
    detail::team one;
    const auto alone = std::make_shared<mesh_of_rank>(t.on(one));
    compare(*alone, t.truth());
    for(const element_kind k : all_kinds)
      CHECK_NOTHROW(topo::check(any_space(alone, k), alone->colors));
  }
}

TEST_CASE("Colors of an unstructured mesh are the same on any number of ranks") {
  for(std::uint64_t seed = 0; seed != 5 * meshes::seeds_of(30); ++seed) {
    const test_case t = random_case(seed);
    INFO("seed " << seed);
    detail::team one;
    const mesh_of_rank alone = t.on(one);
    for(const unsigned ranks : {2U, 3U, 5U})
      compare_on(ranks, t, alone);
  }
}
