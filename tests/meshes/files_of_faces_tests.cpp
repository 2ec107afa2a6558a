// Files of fields over faces and edges, which are found again by the vertices that they have.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "distributed/folder_of_test.hpp"
#include "distributed/ranks.hpp"
#include "meshes/random_meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/unstructured.hpp>

#if RONDO_HAS_HDF5

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, kind::faces, kind::edges, kind::vertices,
  links<kind::faces, kind::vertices>, links<kind::edges, kind::vertices>>;
using values = field<double>;
using words = field<std::array<std::int32_t, 3>>;
using rows = field<ragged<std::int64_t>>;

/// Whatever color looks at it, on whatever rank.
template<class Kind>
std::vector<std::int64_t> vertices_in_order(mesh::view m, element<Kind> e) {
  std::vector<std::int64_t> all;
  for(const auto v : m.vertices_of(e))
    all.push_back(m.id(v));
  std::ranges::sort(all);
  return all;
}
double value_of(const std::vector<std::int64_t>& vertices, double shift) {
  double all = shift;
  for(const std::int64_t v : vertices)
    all = all * 1.25 + static_cast<double>(v);
  return all;
}
std::array<std::int32_t, 3> word_of(const std::vector<std::int64_t>& vertices, double shift) {
  return {static_cast<std::int32_t>(vertices.front() % 1'000'000'000),
    static_cast<std::int32_t>(vertices.back() % 1'000'000'000), static_cast<std::int32_t>(shift)};
}

void fill(mesh::view m, values::accessor<wo> on_faces, words::accessor<wo> on_edges,
  rows::accessor<wo> lists, values::accessor<wo> on_cells, double shift) {
  for(const auto f : m.owned<kind::faces>()) {
    const auto its = vertices_in_order(m, f);
    on_faces(f) = value_of(its, shift);
    lists(f).assign(std::span(its).first(static_cast<std::size_t>(its[0]) % its.size()));
  }
  for(const auto e : m.owned<kind::edges>())
    on_edges(e) = word_of(vertices_in_order(m, e), shift);
  for(const auto c : m.owned<kind::cells>())
    on_cells(c) = static_cast<double>(m.id(c)) + shift;
}

/// Also of ghosts, if the color sees all of their vertices: it sees those of ghost cells.
std::int64_t wrong(mesh::view m, values::accessor<ro, ro> on_faces,
  words::accessor<ro, ro> on_edges, rows::accessor<ro> lists, values::accessor<ro, ro> on_cells,
  double shift) {
  std::int64_t all = 0;
  for(const auto f : m.all<kind::faces>())
    all += on_faces(f) == value_of(vertices_in_order(m, f), shift) ? 0 : 1;
  for(const auto f : m.owned<kind::faces>()) {
    auto its = vertices_in_order(m, f);
    its.resize(static_cast<std::size_t>(its[0]) % its.size());
    all += std::ranges::equal(lists(f), its) ? 0 : 1;
  }
  for(const auto e : m.all<kind::edges>())
    all += on_edges(e) == word_of(vertices_in_order(m, e), shift) ? 0 : 1;
  for(const auto c : m.all<kind::cells>())
    all += on_cells(c) == static_cast<double>(m.id(c)) + shift ? 0 : 1;
  return all;
}

struct fields {
  mesh m;
  values of_faces{m.of<kind::faces>(), "of faces"};
  words of_edges{m.of<kind::edges>(), "of edges"};
  rows lists{m.of<kind::faces>(), "lists"};
  values of_cells{m, "of cells"};

  template<class Pieces>
  fields(scheduler& s, const Pieces& pieces, color_id colors) : m(s, pieces, {.colors = colors}) {}
  void set(scheduler& s, double shift) {
    s.execute<fill>(m, of_faces, of_edges, lists, of_cells, shift);
  }
  std::int64_t wrong_ones(scheduler& s, double shift) {
    return s.reduce<wrong, fold::sum>(m, of_faces, of_edges, lists, of_cells, shift).get();
  }
  void write(scheduler& s, const std::string& path) {
    s.write(path, m, of_faces, of_edges, lists, of_cells);
  }
  void read(scheduler& s, const std::string& path) {
    s.read(path, m, of_faces, of_edges, lists, of_cells);
  }
};

template<class Pieces>
void write_on(unsigned ranks, const std::string& path, const Pieces& pieces, color_id colors) {
  on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
    fields f(s, pieces, colors);
    f.set(s, 3);
    f.write(s, path);
    f.set(s, 1000);
    s.wait();
  });
}
template<class Pieces>
void read_on(unsigned ranks, const std::string& path, const Pieces& pieces, color_id colors) {
  on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
    fields f(s, pieces, colors);
    f.set(s, 0);
    f.read(s, path);
    expect(f.wrong_ones(s, 3) == 0);
    expect(f.wrong_ones(s, 0) != 0);
  });
}

template<class Pieces>
void check_ranks_and_colors(const Pieces& pieces, color_id colors, color_id others) {
  const folder_of_test here;
  for(const unsigned ranks : {1U, 2U, 3U}) {
    CAPTURE(ranks);
    const std::string path = here / (std::to_string(ranks) + ".vtkhdf");
    write_on(ranks, path, pieces, colors);
    read_on(1, path, pieces, colors);
    read_on(3, path, pieces, colors);
    read_on(1, path, pieces, 1);
    read_on(2, path, pieces, others);
  }
}

std::string said_by(const std::string& path, fields& f, scheduler& s) {
  return thrown_by([&] {
    f.read(s, path);
    s.wait();
  });
}
void says(const std::string& what, const std::string& part) {
  if(what.find(part) == std::string::npos)
    std::fprintf(stderr, "said: %s\n", what.c_str());
  expect(what.find(part) != std::string::npos);
}

} // namespace

TEST_CASE("fields of faces and edges are written and read on any ranks, in any colors") {
  SECTION("of triangles") { check_ranks_and_colors(box_of_triangles{13, 9}, 7, 10); }
  SECTION("of tetrahedra") { check_ranks_and_colors(box_of_tetrahedra{3, 4, 2}, 5, 8); }
}

TEST_CASE("faces and edges of random meshes are found in files by their vertices") {
  const std::uint64_t seed = GENERATE(range(1U, 31U)); // lines, polygons, prisms, pyramids, ...
  CAPTURE(seed);
  const folder_of_test here;
  const random_meshes::whole_mesh whole = random_meshes::random_mesh(seed);
  const auto pieces = [&](unsigned part, unsigned parts) {
    return random_meshes::piece_of(whole, seed, part, parts);
  };
  const auto colors = [&](color_id most) { return std::min<color_id>(most, whole.cells.size()); };
  write_on(2, here / "x.h5", pieces, colors(5));
  read_on(1, here / "x.h5", pieces, colors(5));
  read_on(2, here / "x.h5", pieces, colors(3));
}

namespace {
using with_cells = unstructured<kind::cells, kind::vertices>;
void fill_cells(with_cells::view m, values::accessor<wo> u) {
  for(const auto c : m.owned<kind::cells>())
    u(c) = static_cast<double>(m.id(c)) + 3;
}
std::int64_t wrong_cells(with_cells::view m, values::accessor<ro> u) {
  std::int64_t all = 0;
  for(const auto c : m.owned<kind::cells>())
    all += u(c) == static_cast<double>(m.id(c)) + 3 ? 0 : 1;
  return all;
}
} // namespace

TEST_CASE("programs without faces read cells of a file with them, and the other way around") {
  const folder_of_test here;
  const box_of_triangles box{6, 5};
  write_on(2, here / "with.h5", box, 4);
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    with_cells m{s, box, {.colors = 3}};
    values u{m, "of cells"};
    s.read(here / "with.h5", m, u);
    expect(s.reduce<wrong_cells, fold::sum>(m, u).get() == 0);
    s.execute<fill_cells>(m, u);
    s.write(here / "without.h5", m, u);
    s.wait();
  });
  on_ranks(make_local_transports(2), 2, [&](scheduler& s) {
    fields f(s, box, 5);
    f.set(s, 0);
    s.read(here / "without.h5", f.m, f.of_cells);
    s.read(here / "with.h5", f.m, f.of_faces, f.of_edges, f.lists);
    expect(f.wrong_ones(s, 3) == 0);
  });
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) {
    fields f(s, box, 5);
    says(said_by(here / "without.h5", f, s), "it has no field 'of faces', but 'of cells'");
  });
}

TEST_CASE("a file without fields of faces and edges has none of their ids") {
  const folder_of_test here;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    fields f(s, box_of_triangles{6, 5}, 2);
    f.set(s, 3);
    s.write(here / "cells.h5", f.m, f.of_cells);
    with_cells m{s, box_of_triangles{6, 5}, {.colors = 2}};
    values u{m, "of cells"};
    s.execute<fill_cells>(m, u);
    s.write(here / "same.h5", m, u);
    s.wait();
  });
  CHECK(text_of(here / "cells.h5") == text_of(here / "same.h5"));
}

TEST_CASE("faces and edges of another mesh are not taken for those of this one") {
  const folder_of_test here;
  const auto shifted = [](std::int64_t by) {
    return [by](unsigned part, unsigned parts) {
      mesh_piece p = box_of_triangles{4, 3}(part, parts);
      for(std::int64_t& v : p.vertices)
        v += by;
      for(std::int64_t& v : p.corners)
        v += by;
      p.sets.clear();
      return p;
    };
  };
  write_on(1, here / "x.h5", box_of_triangles{4, 3}, 2);
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    fields other(s, shifted(100), 2);
    const auto fails = [&](const std::string& part, const auto& read) {
      says(thrown_by([&] {
        read();
        s.wait();
      }),
        part);
    };
    fails("it is of another mesh, and has no face with the vertices 100, 101",
      [&] { s.read(here / "x.h5", other.m, other.of_faces); });
    fails("it is of another mesh, and has no edge with the vertices 100, 101",
      [&] { s.read(here / "x.h5", other.m, other.of_edges); });
    fields same(s, box_of_triangles{4, 3}, 2);
    values wrong_kind{same.m.of<kind::edges>(), "of faces"};
    fails("its field 'of faces' has values for faces, and the program's for edges",
      [&] { s.read(here / "x.h5", same.m, wrong_kind); });
    same.read(s, here / "x.h5");
    expect(same.wrong_ones(s, 3) == 0);
  });
}

#endif
