// Elements of a color as ranges of the standard library: backward sweeps, in the main.

#include <cstdint>
#include <ranges>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/sparse.hpp>
#include <rondo/unstructured.hpp>

#include "distributed/ranks.hpp"

#include "matrices.hpp"

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, kind::vertices>;

namespace task {
/// How many come elsewhere than from the last one down to the first.
template<class Kind>
std::int64_t misplaced(const element_range<Kind>& of) {
  std::int64_t next = of.size();
  std::int64_t found = 0;
  for(const element<Kind> e : std::views::reverse(of))
    found += e != --next;
  return found + next;
}
std::int64_t misplaced_of_mesh(mesh::view m) {
  return misplaced(m.owned<kind::cells>()) + misplaced(m.all<kind::vertices>());
}
std::int64_t misplaced_of_rows(sparse::view m) {
  std::int64_t next = m.owned().size();
  std::int64_t found = 0;
  for(const auto r : std::views::reverse(m.owned()))
    found += r != --next;
  return found + next;
}
} // namespace task

using cells = element_range<kind::cells>;

} // namespace

TEST_CASE("elements and rows are gone through backwards", "[unstructured][sparse]") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    const mesh m{s, box_of_triangles{5, 4}, {.colors = 3}};
    expect(s.reduce<task::misplaced_of_mesh, fold::sum>(m).get() == 0);
    const sparse_piece whole = matrices::grid_matrix(6, 5);
    const sparse a{s,
      [&](unsigned part, unsigned parts) {
        return matrices::rows_of(whole, 30 * part / parts, 30 * (part + 1) / parts);
      },
      {.colors = 3}};
    expect(s.reduce<task::misplaced_of_rows, fold::sum>(a).get() == 0);
  });
}

TEST_CASE("a range of elements is a view of the standard library", "[unstructured]") {
  STATIC_REQUIRE(std::is_same_v<std::views::all_t<cells>, cells>);
  STATIC_REQUIRE(std::ranges::borrowed_range<cells>);
  STATIC_REQUIRE(std::ranges::borrowed_range<element_list<kind::cells>>);
  std::vector<std::int64_t> seen;
  for(const element<kind::cells> c : cells(2, 6) | std::views::reverse | std::views::take(2))
    seen.push_back(c);
  CHECK(seen == std::vector<std::int64_t>{5, 4});
  CHECK((cells(3, 3) | std::views::reverse).empty());
}
