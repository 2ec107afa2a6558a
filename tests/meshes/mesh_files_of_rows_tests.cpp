// Rows of unstructured meshes in files, and particles over them.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "distributed/folder_of_test.hpp"
#include "distributed/meshes.hpp"
#include "distributed/ranks.hpp"

#include <catch2/catch.hpp>
#include <rondo/unstructured.hpp>

#if RONDO_HAS_HDF5

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, kind::vertices, links<kind::cells, kind::cells>>;
using rows = field<ragged<std::int64_t>>;
using walkers = particles<std::uint64_t>;
const box_of_triangles shape{23, 17};

std::vector<std::int64_t> row_of(std::int64_t id, std::uint64_t shift) {
  const std::uint64_t h = meshes::mix(static_cast<std::uint64_t>(id), shift);
  std::vector<std::int64_t> row(h % 6);
  for(std::size_t k = 0; k != row.size(); ++k)
    row[k] = static_cast<std::int64_t>(meshes::mix(h, k));
  return row;
}
void fill(
  mesh::view m, rows::accessor<wo> of_cells, rows::accessor<wo> of_vertices, std::uint64_t shift) {
  for(const auto c : m.owned<kind::cells>())
    of_cells(c).assign(row_of(m.id(c), shift));
  for(const auto v : m.owned<kind::vertices>())
    of_vertices(v).assign(row_of(m.id(v), shift + 1));
}
std::int64_t wrong(mesh::view m, rows::accessor<ro, ro> of_cells,
  rows::accessor<ro, ro> of_vertices, std::uint64_t shift) {
  std::int64_t wrong = 0;
  const auto look = [&](const auto& row, const std::vector<std::int64_t>& expected) {
    wrong += std::vector<std::int64_t>(row.begin(), row.end()) == expected ? 0 : 1;
  };
  for(const auto c : m.all<kind::cells>())
    look(of_cells(c), row_of(m.id(c), shift));
  for(const auto v : m.all<kind::vertices>())
    look(of_vertices(v), row_of(m.id(v), shift + 1));
  return wrong;
}

struct fields {
  mesh m;
  rows of_cells{m, "of cells"};
  rows of_vertices{m.of<kind::vertices>(), "of vertices"};

  fields(scheduler& s, color_id colors) : m(s, shape, {.colors = colors}) {}
  void set(scheduler& s, std::uint64_t shift) { s.execute<fill>(m, of_cells, of_vertices, shift); }
  std::int64_t wrong_ones(scheduler& s, std::uint64_t shift) {
    return s.reduce<wrong, fold::sum>(m, of_cells, of_vertices, shift).get();
  }
};

/// Each goes to a neighbour of the cell that it is in, by its number; the color remembers which cell that is.
using cells = field<ragged<std::uint64_t>>;
void create(mesh::view m, walkers::accessor<wo> p) {
  for(const auto c : m.owned<kind::cells>())
    p.push_back(static_cast<std::uint64_t>(m.id(c)));
}
void leave_all(mesh::view m, walkers::accessor<rw> p) {
  const auto ghosts = m.ghosts<kind::cells>();
  std::uint64_t n = 0;
  for(std::uint64_t* w = p.begin(); w != p.end();) {
    *w = meshes::mix(*w, m.color());
    const bool leaves = !ghosts.empty() && *w % 3 == 0;
    w = leaves ? p.move_to(w, *(ghosts.begin() + static_cast<std::int64_t>(n++) % ghosts.size()))
               : w + 1;
  }
}
std::uint64_t bits(mesh::view m, walkers::accessor<ro> p) {
  std::uint64_t h = 0;
  for(std::size_t k = 0; k != p.size(); ++k)
    h += meshes::mix(p[k], k * 1000 + m.color());
  return h;
}

} // namespace

TEST_CASE("rows of cells and of vertices are read on any ranks, in any colors") {
  const folder_of_test here;
  const std::string path = here / "rows.vtkhdf";
  on_ranks(make_local_transports(GENERATE(1U, 2U, 3U)), 2, [&](scheduler& s) {
    fields f(s, 7);
    f.set(s, 5);
    s.write(path, f.m, f.of_cells, f.of_vertices);
    f.set(s, 6);
  });
  for(const color_id colors : {color_id{7}, color_id{3}})
    on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
      fields f(s, colors);
      f.set(s, 7);
      s.read(path, f.m, f.of_vertices, f.of_cells);
      expect(f.wrong_ones(s, 5) == 0);
      f.set(s, 8);
      expect(f.wrong_ones(s, 8) == 0);
    });
}

TEST_CASE("a rank may have cells, and none of their vertices") {
  const folder_of_test here;
  const std::string path = here / "others.vtkhdf";
  on_ranks(make_local_transports(8), 1, [&](scheduler& s) {
    const mesh m(s, box_of_triangles{2, 2}, {.colors = 8});
    const rows of_cells{m, "of cells"};
    const rows of_vertices{m.of<kind::vertices>(), "of vertices"};
    s.execute<fill>(m, of_cells, of_vertices, std::uint64_t{5});
    s.write(path, m, of_cells, of_vertices);
    rows again{m, "of cells"};
    rows of_vertices_again{m.of<kind::vertices>(), "of vertices"};
    s.read(path, m, again, of_vertices_again);
    expect(s.reduce<wrong, fold::sum>(m, again, of_vertices_again, std::uint64_t{5}).get() == 0);
  });
}

TEST_CASE("ranks without colors write nothing, however late they hear of a file") {
  const folder_of_test here;
  const std::string path = here / "few.vtkhdf";
  auto ranks = make_local_transports(5);
  for(unsigned r = 0; r != 3; ++r)
    ranks[r] = make_delayed(std::move(ranks[r]), {.latency = std::chrono::milliseconds(3)});
  on_ranks(std::move(ranks), 2, [&](scheduler& s) {
    fields f(s, 1);
    for(std::uint64_t pass = 0; pass != 20; ++pass) {
      f.set(s, pass);
      s.write(path, f.m, f.of_cells, f.of_vertices);
    }
    f.set(s, 99);
    s.read(path, f.m, f.of_cells, f.of_vertices);
    expect(f.wrong_ones(s, 19) == 0);
  });
}

TEST_CASE("particles over an unstructured mesh go on from a file, with the same bits") {
  const folder_of_test here;
  const std::string path = here / "particles.vtkhdf";
  std::uint64_t expected = 0;
  const auto go_on = [](scheduler& s, const mesh& m, const walkers& p) {
    s.repeat(4, [&] { s.execute<leave_all>(m, p); });
    return s.reduce<bits, fold::sum>(m, p).get();
  };
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    const mesh m{s, shape, {.colors = 7}};
    const walkers p{m, "p"};
    s.execute<create>(m, p);
    s.repeat(3, [&] { s.execute<leave_all>(m, p); });
    s.write(path, m, p);
    const std::uint64_t sum = go_on(s, m, p);
    if(s.rank() == 0)
      expected = sum;
  });
  const auto read_with = [&](unsigned ranks, color_id colors) {
    std::string said;
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const mesh m{s, shape, {.colors = colors}};
      walkers p{m, "p"};
      s.read(path, m, p);
      const std::string failure = thrown_by([&] { s.wait(); });
      if(!failure.empty() && s.rank() == 0)
        said = failure;
      else
        expect(go_on(s, m, p) == expected);
    });
    return said;
  };
  CHECK(read_with(1, 7).empty());
  CHECK(read_with(3, 7).empty());
  CHECK_THAT(read_with(1, 6), Catch::Contains("'p.lengths' has 7 values, one for each color of the "
                                              "mesh that was written, and this one has 6"));
}

#endif
