// Colors of meshes and matrices that go to other ranks, with fields of all kinds, and particles.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/sparse.hpp>
#include <rondo/unstructured.hpp>

#include "distributed/ranks.hpp"

#include "matrices.hpp"

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, kind::vertices, kind::faces, links<kind::cells, kind::cells>,
  links<kind::cells, kind::vertices>, links<kind::faces, kind::cells>>;
using values = field<double>;
using rows = field<ragged<std::int64_t>>;

constexpr std::int64_t width = 13, height = 9;

/// Squares, each the bottom left corner of which has its number; the left ends of rows are a set.
mesh_piece squares(unsigned part, unsigned parts) {
  mesh_piece p{.dimension = 2};
  const auto vertex = [](std::int64_t i, std::int64_t j) { return j * (width + 1) + i; };
  const std::int64_t first = height * part / parts, last = height * (part + 1) / parts;
  for(std::int64_t j = first; j != last; ++j)
    for(std::int64_t i = 0; i != width; ++i) {
      p.add_cell({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
      if(i == 0)
        p.name("left", {vertex(0, j), vertex(0, j + 1)});
    }
  for(std::int64_t j = first; first != last && j <= last; ++j)
    for(std::int64_t i = 0; i <= width; ++i)
      p.add_vertex(vertex(i, j), {static_cast<double>(i), static_cast<double>(j), 0});
  return p;
}

std::uint64_t bits(std::int64_t id, double x) { return matrices::mark_of(id, x); }

namespace task {
void begin(mesh::view m, values::accessor<wo> u, rows::accessor<wo> r) {
  for(const auto c : m.owned<kind::cells>()) {
    u(c) = 1. / static_cast<double>(m.id(c) + 1);
    r(c).clear();
    for(std::int64_t k = 0; k != m.id(c) % 4; ++k)
      r(c).push_back(m.id(c) * 10 + k);
  }
}
void smooth(mesh::view m, values::accessor<rw> to, values::accessor<ro, ro> from) {
  for(const auto c : m.owned<kind::cells>()) {
    double sum = from(c);
    for(const auto n : m.cells_of(c))
      sum += from(n);
    to(c) = sum / 4;
  }
}
/// Contributions, which vertices of other colors get.
void scatter(mesh::view m, values::accessor<ro> u, values::accessor<rw, fold::max> x) {
  for(const auto c : m.owned<kind::cells>())
    for(const auto v : m.vertices_of(c))
      x(v) = std::max(x(v), u(c));
}
void at_left(mesh::view m, values::accessor<rw> flux, mesh_set left) {
  for(const auto f : m.owned<kind::faces>(left))
    flux(f) += 1;
}
std::uint64_t of_cells(mesh::view m, values::accessor<ro> u, rows::accessor<ro, ro> r) {
  std::uint64_t all = 0;
  for(const auto c : m.owned<kind::cells>()) {
    all += bits(m.id(c), u(c));
    for(const auto n : m.cells_of(c))
      for(const std::int64_t x : r(n))
        all += bits(m.id(c), static_cast<double>(x));
  }
  return all;
}
std::uint64_t of_vertices(mesh::view m, values::accessor<ro> x) {
  std::uint64_t all = 0;
  for(const auto v : m.owned<kind::vertices>())
    all += bits(m.id(v), x(v) + m.at(v)[0]);
  return all;
}
double of_faces(mesh::view m, values::accessor<ro> flux) {
  double all = 0;
  for(const auto f : m.owned<kind::faces>())
    all += flux(f) * static_cast<double>(m.cells_of(f).size());
  return all;
}
} // namespace task

using result = std::vector<std::uint64_t>;
using mover = std::function<void(const topology&)>;

/// Some way through the file system, as well.
result of_mesh(scheduler& s, const mover& move, const std::string& file) {
  mesh m{s, squares, {.colors = 7, .name = "squares"}};
  values u{m, "u"}, v{m, "v"}, x{m.of<kind::vertices>(), "x"}, flux{m.of<kind::faces>(), "flux"};
  rows r{m, "r"};
  result seen;
  s.execute<task::begin>(m, u, r);
  for(int round = 0; round != 3; ++round) {
    move(m);
    s.repeat(4, [&] {
      s.execute<task::smooth>(m, v, u);
      s.execute<task::smooth>(m, u, v);
      s.execute<task::scatter>(m, u, x);
    });
    s.execute<task::at_left>(m, flux, m.find("left"));
    seen.push_back(s.reduce<task::of_cells, fold::sum>(m, u, r).get());
    seen.push_back(s.reduce<task::of_vertices, fold::sum>(m, x).get());
    seen.push_back(static_cast<std::uint64_t>(s.reduce<task::of_faces, fold::sum>(m, flux).get()));
    if(!file.empty()) {
      s.write(file, m, u, x);
      s.execute<task::smooth>(m, v, u);
      s.execute<task::smooth>(m, u, v);
      move(m);
      s.read(file, m, u, x);
    }
  }
  return seen;
}

namespace task {
void fill(sparse::view m, values::accessor<wo> x) {
  for(const auto r : m.owned())
    x(r) = 1. / static_cast<double>(3 + m.id(r) % 17);
}
void multiply(sparse::view m, values::accessor<wo> y, values::accessor<ro, ro> x) {
  for(const auto r : m.owned()) {
    double sum = 0;
    const auto columns = m.columns_of(r);
    const auto entries = m.values_of(r);
    for(std::size_t k = 0; k != columns.size(); ++k)
      sum += entries[k] * x(columns[k]);
    y(r) = sum / 8;
  }
}
std::uint64_t of_rows(sparse::view m, values::accessor<ro> x) {
  std::uint64_t all = 0;
  for(const auto r : m.owned())
    all += bits(m.id(r), x(r)) + (m.find(m.id(r)) != r);
  return all;
}
} // namespace task

result of_matrix(scheduler& s, const mover& move) {
  const sparse_piece whole = matrices::random_matrix(11, 120);
  sparse m{s,
    [&](unsigned part, unsigned parts) {
      return matrices::rows_of(whole, 120 * part / parts, 120 * (part + 1) / parts);
    },
    {.colors = 8}};
  values x{m, "x"}, y{m, "y"};
  result seen;
  s.execute<task::fill>(m, x);
  for(int round = 0; round != 4; ++round) {
    s.execute<task::multiply>(m, y, x);
    move(m);
    s.execute<task::multiply>(m, x, y);
    seen.push_back(s.reduce<task::of_rows, fold::sum>(m, x).get());
  }
  return seen;
}

using line = structured<1>;
struct walker {
  std::int64_t name;
  std::int64_t at;
  std::int64_t steps;
};
using walkers = particles<walker>;
constexpr std::int64_t cells = 40;

namespace task {
void create(line::view m, walkers::accessor<wo> p) {
  for(const auto i : m.owned(0))
    for(std::int64_t k = 0; k != i % 3; ++k)
      p.push_back({i * 4 + k, i, 0});
}
void walk(line::view, walkers::accessor<rw> p) {
  for(walker* w = p.begin(); w != p.end();) {
    const std::int64_t to = w->at + (w->name * 7 + w->steps++ * 5) % 5 - 2;
    w->at = (to + cells) % cells;
    w = p.move_to(w, to);
  }
}
/// In the order in which the color has them.
std::uint64_t in_order(line::view m, walkers::accessor<ro> p) {
  std::uint64_t all = m.color();
  for(const walker& w : p) {
    expect(m.owned(0).first() <= w.at && w.at < m.owned(0).last());
    all = meshes::mix(all, static_cast<std::uint64_t>(w.name * 100 + w.at));
  }
  return all;
}
} // namespace task

result of_particles(scheduler& s, const mover& move) {
  line m{s, {.extents = {cells}, .colors = {10}, .halo = 2, .periodic = {true}}};
  walkers p{m, "p"};
  result seen;
  s.execute<task::create>(m, p);
  for(int round = 0; round != 5; ++round) {
    move(m);
    s.repeat(7, [&] { s.execute<task::walk>(m, p); });
    seen.push_back(s.reduce<task::in_order, fold::sum>(m, p).get());
  }
  return seen;
}

/// Everywhere and always the same as on one rank where nothing moves.
void compare(const std::function<result(scheduler&, const mover&)>& program) {
  result expected;
  on_ranks(make_local_transports(1), 2,
    [&](scheduler& s) { expected = program(s, [](const topology&) {}); });
  for(const unsigned ranks : {2U, 3U, 4U}) {
    std::uint64_t moved = 0;
    on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
      std::uint64_t round = 0, here = 0;
      const result seen = program(s, [&](const topology& of) {
        ++round;
        here += of.balance({.cost = [&](color_id c) { return (c + 3 * round) % 8 < 3 ? 5 : 1; },
                             .least_gain = 0})
                  .moved;
      });
      expect(seen == expected);
      if(s.rank() == 0)
        moved = here;
    });
    CHECK(moved != 0);
  }
}

} // namespace

TEST_CASE("colors of an unstructured mesh move", "[balance]") {
  compare([](scheduler& s, const mover& move) { return of_mesh(s, move, {}); });
}

TEST_CASE("an unstructured mesh whose colors have moved is written and read", "[balance]") {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "rondo-moving-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  bool has_files = true;
  compare([&](scheduler& s, const mover& move) -> result {
    try {
      return of_mesh(s, move, folder + "/" + std::to_string(s.ranks()) + ".vtkhdf");
    }
    catch(const std::invalid_argument& e) {
      if(std::string(e.what()).find("HDF5") == std::string::npos)
        throw;
      has_files = false;
      return of_mesh(s, move, {});
    }
  });
  fs::remove_all(folder);
  if(!has_files)
    WARN("Rondo was built without HDF5: no files");
}

TEST_CASE("colors of a matrix move", "[balance]") { compare(of_matrix); }

TEST_CASE("particles move with their colors", "[balance]") { compare(of_particles); }
