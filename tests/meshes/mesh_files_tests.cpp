// Files of fields over unstructured meshes: what some ranks and colors write, any others read.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "distributed/folder_of_test.hpp"
#include "distributed/ranks.hpp"

#include <catch2/catch.hpp>
#include <rondo/unstructured.hpp>

using namespace rondo;

namespace {

namespace fs = std::filesystem;

using mesh = unstructured<kind::cells, kind::vertices, kind::faces>;
using values = field<double>;
using counts = field<std::int32_t>;
using several = std::array<double, 16>;
using many = field<several>;

several several_of(std::int64_t id) {
  several x{};
  for(std::size_t k = 0; k != x.size(); ++k)
    x[k] = static_cast<double>(id) / static_cast<double>(k + 1);
  return x;
}

void fill(mesh::view m, values::accessor<wo> u, many::accessor<wo> w, counts::accessor<wo> n,
  std::int64_t shift) {
  for(const auto c : m.owned<kind::cells>()) {
    u(c) = static_cast<double>(m.id(c) + shift) / 3;
    w(c) = several_of(m.id(c) + shift);
  }
  for(const auto v : m.owned<kind::vertices>())
    n(v) = static_cast<std::int32_t>(7 * m.id(v) + shift);
}
std::int64_t wrong(mesh::view m, values::accessor<ro, ro> u, many::accessor<ro> w,
  counts::accessor<ro, ro> n, std::int64_t shift) {
  std::int64_t wrong = 0;
  for(const auto c : m.all<kind::cells>())
    wrong += u(c) == static_cast<double>(m.id(c) + shift) / 3 ? 0 : 1;
  for(const auto c : m.owned<kind::cells>())
    wrong += w(c) == several_of(m.id(c) + shift) ? 0 : 1;
  for(const auto v : m.all<kind::vertices>())
    wrong += n(v) == static_cast<std::int32_t>(7 * m.id(v) + shift) ? 0 : 1;
  return wrong;
}

/// A mesh, and a field of each type.
struct fields {
  mesh m;
  values u{m, "u"};
  many w{m, "w"};
  counts n{m.of<kind::vertices>(), "n"};

  template<class Pieces>
  fields(scheduler& s, const Pieces& pieces, color_id colors) : m(s, pieces, {.colors = colors}) {}
  void set(scheduler& s, std::int64_t shift) { s.execute<fill>(m, u, w, n, shift); }
  std::int64_t wrong_ones(scheduler& s, std::int64_t shift) {
    return s.reduce<wrong, fold::sum>(m, u, w, n, shift).get();
  }
};

template<class Pieces>
void write_on(unsigned ranks, const std::string& path, const Pieces& pieces, color_id colors) {
  on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
    fields f(s, pieces, colors);
    f.set(s, 5);
    const future<std::uint64_t> bytes =
      s.write(path, {.time = make_ready<double>(0.25)}, f.m, f.n, f.u, f.w).bytes;
    f.set(s, 1000);
    expect(bytes.get() == static_cast<std::uint64_t>(f.m.count<kind::cells>()) * 17 * 8 +
                            static_cast<std::uint64_t>(f.m.count<kind::vertices>()) * 4);
  });
}
template<class Pieces>
void read_on(unsigned ranks, const std::string& path, const Pieces& pieces, color_id colors) {
  on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
    fields f(s, pieces, colors);
    f.set(s, 0);
    const future<double> time = s.read(path, f.m, f.u, f.n, f.w).time;
    expect(f.wrong_ones(s, 5) == 0);
    expect(time.get() == 0.25);
  });
}

template<class Pieces>
void check_ranks_and_colors(const Pieces& pieces) {
  const folder_of_test here;
  for(const unsigned ranks : {1U, 2U, 3U}) {
    const std::string path = here / (std::to_string(ranks) + ".vtkhdf");
    write_on(ranks, path, pieces, 7);
    CHECK(text_of(path) == text_of(here / "1.vtkhdf"));
    read_on(1, path, pieces, 7);
    read_on(3, path, pieces, 7);
    read_on(1, path, pieces, 1);
    read_on(2, path, pieces, 10);
  }
}

} // namespace

namespace {

/// The arrays of a mesh, as ranks put them into a file.
struct arrays {
  std::vector<position> positions;
  std::vector<std::int64_t> corners, ends, cell_ids, vertex_ids;
  std::vector<std::uint8_t> types;

  void resize(const detail::mesh_counts& n) {
    positions.resize(static_cast<std::size_t>(n.vertices));
    vertex_ids.resize(static_cast<std::size_t>(n.vertices));
    corners.resize(static_cast<std::size_t>(n.corners));
    for(std::vector<std::int64_t>* const of_cells : {&ends, &cell_ids})
      of_cells->resize(static_cast<std::size_t>(n.cells));
    types.resize(static_cast<std::size_t>(n.cells));
  }
  /// What a color has, each where it belongs: colors don't touch what others put.
  void put(const detail::file_mesh& m, color_id c) {
    const detail::mesh_counts at = m.before(c);
    const auto part = [&](detail::mesh_array what, auto& all, std::int64_t first) {
      m.put(what, c, reinterpret_cast<std::byte*>(all.data() + first));
    };
    part(detail::mesh_array::positions, positions, at.vertices);
    part(detail::mesh_array::vertex_ids, vertex_ids, at.vertices);
    part(detail::mesh_array::corners, corners, at.corners);
    part(detail::mesh_array::ends, ends, at.cells);
    part(detail::mesh_array::types, types, at.cells);
    part(detail::mesh_array::cell_ids, cell_ids, at.cells);
  }
};

/// The same mesh as the piece, which is all of it.
template<class Pieces>
void check_arrays(const Pieces& pieces, unsigned ranks, std::uint8_t type) {
  const mesh_piece whole = pieces(0, 1);
  arrays in_file;
  in_file.resize(
    {static_cast<std::int64_t>(whole.cells()), static_cast<std::int64_t>(whole.vertices.size()),
      static_cast<std::int64_t>(whole.corners.size())});
  on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
    const mesh m{s, pieces, {.colors = 7}};
    const detail::stored_mesh stored = m.in_files();
    for(const color_id c : m.mine())
      in_file.put(*stored.shape, c);
  });
  std::map<std::int64_t, position> at;
  for(std::size_t v = 0; v != whole.vertices.size(); ++v)
    at[whole.vertices[v]] = whole.positions[v];
  for(std::size_t v = 0; v != in_file.vertex_ids.size(); ++v)
    CHECK(at.at(in_file.vertex_ids[v]) == in_file.positions[v]);
  std::set<std::int64_t> cells;
  std::int64_t begin = 0;
  for(std::size_t c = 0; c != in_file.cell_ids.size(); begin = in_file.ends[c++]) {
    cells.insert(in_file.cell_ids[c]);
    std::vector<std::int64_t> corners;
    for(std::int64_t k = begin; k != in_file.ends[c]; ++k)
      corners.push_back(in_file.vertex_ids.at(
        static_cast<std::size_t>(in_file.corners[static_cast<std::size_t>(k)])));
    const auto expected = whole.corners_of(static_cast<std::size_t>(in_file.cell_ids[c]));
    CHECK(std::ranges::equal(corners, expected));
    CHECK(in_file.types[c] == type);
  }
  CHECK(cells.size() == whole.cells());
}

} // namespace

TEST_CASE(
  "cells in a file have the corners that they have in the mesh, and vertices are where they are") {
  const unsigned ranks = GENERATE(1U, 2U, 3U);
  check_arrays(box_of_triangles{8, 7}, ranks, 5);
  check_arrays(box_of_tetrahedra{3, 4, 2}, ranks, 10);
}

#if RONDO_HAS_HDF5

TEST_CASE("fields of triangles are written and read on any ranks, in any colors") {
  check_ranks_and_colors(box_of_triangles{23, 17});
}

TEST_CASE("fields of tetrahedra are written and read on any ranks, in any colors") {
  check_ranks_and_colors(box_of_tetrahedra{5, 6, 4});
}

TEST_CASE("values of many cells go to the disk in place, and are found in other colors") {
  const folder_of_test here;
  const box_of_triangles large{300, 300}; // of each color more than goes to the disk at once
  write_on(2, here / "x.h5", large, 5);
  write_on(1, here / "same.h5", large, 5);
  CHECK(text_of(here / "x.h5") == text_of(here / "same.h5"));
  read_on(2, here / "x.h5", large, 5);
  read_on(2, here / "x.h5", large, 3);
}

namespace {
/// The same mesh whatever the order in which its vertices are numbered; with numbers that are far apart.
mesh_piece far_apart(unsigned part, unsigned parts) {
  mesh_piece p = box_of_triangles{9, 8}(part, parts);
  for(std::int64_t& v : p.vertices)
    v = v * 1'000'003 % 16'777'213;
  for(std::int64_t& v : p.corners)
    v = v * 1'000'003 % 16'777'213;
  p.sets.clear();
  return p;
}
} // namespace

TEST_CASE("vertices have any numbers in files, too") { check_ranks_and_colors(far_apart); }

TEST_CASE("a file has what the fields were when it was launched, in each pass of a loop") {
  const folder_of_test here;
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    fields f(s, box_of_triangles{12, 10}, 6);
    topo::index pieces{f.m};
    topo::global all{s};
    values of_colors{pieces, "of colors"}, of_all{all, "of all"};
    {
      file_series series(s, here / "x.vtkhdf", {.every = 2});
      for(std::int64_t pass = 0; pass != 5; ++pass) {
        f.set(s, pass);
        series.write(static_cast<double>(pass), f.m, f.u, f.w, f.n, of_colors, of_all);
      }
    }
    s.repeat(3, [&] { s.write(here / "last.vtkhdf", f.m, f.u, f.w, f.n); });
    for(const int k : {0, 1, 2}) {
      const std::string path = here / ("x.000" + std::to_string(k) + ".vtkhdf");
      const future<double> time = s.read(path, f.m, f.u, f.w, f.n, of_colors, of_all).time;
      expect(f.wrong_ones(s, 2 * k) == 0);
      expect(time.get() == 2 * k);
    }
    s.read(here / "last.vtkhdf", f.m, f.u, f.w, f.n);
    expect(f.wrong_ones(s, 4) == 0);
  });
}

namespace {
void set_all(values::accessor<wo> n, double value) { n() = value; }
double value_here(values::accessor<ro> n) { return n(); }
} // namespace

TEST_CASE("ranks without colors take part in files, and have what all have") {
  const folder_of_test here;
  const color_id colors = GENERATE(1U, 2U);
  on_ranks(make_local_transports(GENERATE(2U, 3U, 5U)), 2, [&](scheduler& s) {
    fields f(s, box_of_triangles{12, 10}, colors);
    topo::global everywhere{s};
    values all{everywhere, "all"};
    for(std::int64_t k = 1; k != 20; ++k) {
      f.set(s, k);
      s.execute<set_all>(all, static_cast<double>(k));
      s.write(here / "x.h5", f.m, f.u, f.w, f.n, all);
    }
    f.set(s, 0);
    s.execute<set_all>(all, 0.);
    s.read(here / "x.h5", f.m, f.u, f.w, f.n, all);
    expect(f.wrong_ones(s, 19) == 0);
    expect(s.reduce<value_here, fold::sum>(all).get() == 19);
  });
}

TEST_CASE("what a file of an unstructured mesh can't have is refused, and said what can be") {
  const folder_of_test here;
  const auto says = [](const std::string& what, const std::string& part) {
    if(what.find(part) == std::string::npos)
      std::fprintf(stderr, "said: %s\n", what.c_str());
    expect(what.find(part) != std::string::npos);
  };
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    fields f(s, box_of_triangles{4, 3}, 2);
    f.set(s, 0);
    const fields of_another(s, box_of_triangles{4, 3}, 2);
    const auto refused = [&](const std::string& part, const auto& what) {
      says(thrown_by(what), part);
    };
    refused("files of unstructured meshes are .vtkhdf or .h5",
      [&] { s.write(here / "x.vti", f.m, f.u); });
    refused("files of unstructured meshes are .vtkhdf or .h5",
      [&] { s.write(here / "x.png", f.m, f.u); });
    refused(
      "files of unstructured meshes are .vtkhdf or .h5", [&] { s.read(here / "x.vti", f.m, f.u); });
    refused("A series of them is called frames.vtkhdf", [&] {
      file_series series(s, here / "x.pvd");
      series.write(f.m, f.u);
    });
    refused("field 'n' belongs to another topology than the mesh: a file has values for the cells, "
            "vertices, faces and edges of a mesh",
      [&] { s.write(here / "x.h5", f.m, f.u, of_another.n); });
    refused("leave out the option .where", [&] {
      s.write(here / "x.h5", {.where = {.spacing = {2, 2, 2}}}, f.m, f.u);
    });
    CHECK(!fs::exists(here / "x.h5"));

    s.write(here / "x.h5", f.m, f.u, f.n);
    const structured<1> line{s, {.extents = {24}}};
    values u{line, "u"};
    s.write(here / "line.h5", line, u);
    s.wait();
    const auto fails = [&](const std::string& part, const auto& read) {
      says(thrown_by([&] {
        read();
        s.wait();
      }),
        part);
    };
    fails("it has an unstructured mesh, and the program's is structured",
      [&] { s.read(here / "x.h5", line, u); });
    fails("it has a structured mesh, and the program's is unstructured",
      [&] { s.read(here / "line.h5", f.m, f.u); });
    fields other(s, box_of_triangles{3, 4}, 2);
    fails("it has 24 cells with 72 corners, and 20 vertices", [&] {
      fields larger(s, box_of_triangles{4, 4}, 2);
      s.read(here / "x.h5", larger.m, larger.u);
      s.wait();
    });
    values on_vertices{f.m.of<kind::vertices>(), "u"};
    fails("its field 'u' has values for cells, and the program's for vertices",
      [&] { s.read(here / "x.h5", f.m, on_vertices); });
    fails("it has no field 'w'", [&] { s.read(here / "x.h5", f.m, f.w); });
    fields shifted(
      s,
      [](unsigned part, unsigned parts) {
        mesh_piece p = box_of_triangles{4, 3}(part, parts);
        for(std::int64_t& v : p.vertices)
          v += 100;
        for(std::int64_t& v : p.corners)
          v += 100;
        p.sets.clear();
        return p;
      },
      2);
    fails("it is of another mesh, and has no vertex 100",
      [&] { s.read(here / "x.h5", shifted.m, shifted.n); });
    s.read(here / "x.h5", f.m, f.u, f.n); // nothing is broken by all that
    expect(f.wrong_ones(s, 0) == 0);
  });
}

#else

TEST_CASE("without HDF5 there are no files of unstructured meshes, which is said") {
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    fields f(s, box_of_triangles{4, 3}, 2);
    for(const char* path : {"x.vtkhdf", "x.vti"})
      expect(thrown_by([&] { s.write(path, f.m, f.u); }).find("Rondo was built without HDF5") !=
             std::string::npos);
  });
}

#endif
