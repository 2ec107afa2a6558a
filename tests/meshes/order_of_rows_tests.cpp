// In which order the rows of tables are: the same for all colors, by what is known in the whole mesh.

#include <algorithm>
#include <map>
#include <vector>

#include <catch2/catch.hpp>

#include <rondo/meshes/assemble.hpp>

using namespace rondo;

namespace {

constexpr std::int64_t side = 4; // cubes along each axis

std::int64_t corner(std::int64_t i, std::int64_t j, std::int64_t k) {
  return i + (side + 1) * (j + (side + 1) * k);
}
position place(std::int64_t corner) {
  return {static_cast<double>(corner % (side + 1)),
    static_cast<double>(corner / (side + 1) % (side + 1)),
    static_cast<double>(corner / (side + 1) / (side + 1))};
}

mesh_piece cubes() {
  mesh_piece p{.dimension = 3};
  for(std::int64_t v = 0; v != (side + 1) * (side + 1) * (side + 1); ++v)
    p.add_vertex(v, place(v));
  for(std::int64_t k = 0; k != side; ++k)
    for(std::int64_t j = 0; j != side; ++j)
      for(std::int64_t i = 0; i != side; ++i)
        p.add_cell({corner(i, j, k), corner(i + 1, j, k), corner(i + 1, j + 1, k),
          corner(i, j + 1, k), corner(i, j, k + 1), corner(i + 1, j, k + 1),
          corner(i + 1, j + 1, k + 1), corner(i, j + 1, k + 1)});
  return p;
}

using ids = std::vector<std::int64_t>;

ids row_of(const detail::color_mesh& m, element_kind from, element_kind to, std::int64_t e) {
  ids all;
  const auto [first, size] = m.table(from, to).row(e);
  for(std::size_t k = 0; k != size; ++k)
    all.push_back(m.of(to).ids[static_cast<std::size_t>(first[k])]);
  return all;
}

bool is_edge(std::int64_t a, std::int64_t b) {
  const position p = place(a);
  const position q = place(b);
  double distance = 0;
  for(std::size_t axis = 0; axis != 3; ++axis)
    distance += std::abs(p[axis] - q[axis]);
  return distance == 1;
}

} // namespace

TEST_CASE("Rows of unstructured meshes are in one order for all colors") {
  constexpr auto cells = element_kind::cells;
  constexpr auto faces = element_kind::faces;
  constexpr auto vertices = element_kind::vertices;
  detail::assembly_options o{.colors = 5};
  for(const element_kind k : {cells, faces, vertices}) {
    o.wish.kinds[detail::index_of(k)] = true;
    o.wish.tables[detail::index_of(k)][detail::index_of(cells)] = true;
    o.wish.tables[detail::index_of(k)][detail::index_of(vertices)] = k != cells;
  }
  detail::team one;
  const detail::mesh_of_rank r = assemble(one, cubes(), o);
  REQUIRE(r.parts.size() == 5);

  std::map<ids, ids> around; // of each face, known by its vertices
  for(const detail::color_mesh& m : r.parts) {
    for(const element_kind k : {cells, faces, vertices})
      for(std::int64_t e = 0; e != m.of(k).all; ++e)
        CHECK(std::ranges::is_sorted(row_of(m, k, cells, e)));
    for(std::int64_t v = 0; v != m.of(vertices).all; ++v)
      CHECK(std::ranges::is_sorted(row_of(m, vertices, vertices, v)));
    for(std::int64_t f = 0; f != m.of(faces).owned; ++f) {
      const ids its = row_of(m, faces, vertices, f);
      REQUIRE(its.size() == 4);
      for(std::size_t k = 0; k != 4; ++k)
        CHECK(is_edge(its[k], its[(k + 1) % 4]));
      ids sorted = its;
      std::ranges::sort(sorted);
      CHECK(around.try_emplace(sorted, its).first->second == its);
    }
  }
  CHECK(around.size() == 3 * side * side * (side + 1));
}
