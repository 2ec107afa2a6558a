// Programs over unstructured meshes on ranks of this process, against what they compute over the whole mesh at once.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/unstructured.hpp>

#include "distributed/ranks.hpp"

#include "mesh_oracle.hpp"

using namespace rondo;
using random_meshes::ids;
using random_meshes::whole_mesh;

namespace {

using mesh = unstructured<kind::cells, kind::vertices, kind::faces, links<kind::cells, kind::cells>,
  links<kind::faces, kind::cells>, links<kind::vertices, kind::cells>>;
using values = field<double>;

double first_value(std::int64_t cell, double scale) {
  return scale * static_cast<double>(1 + cell % 7);
}
/// Of whole numbers sums are whole, and the same in any order.
double small(double x) { return std::fmod(x, 1021); }

namespace task {
void fill(mesh::view m, values::accessor<wo> u, double scale) {
  for(const auto c : m.owned<kind::cells>())
    u(c) = first_value(m.id(c), scale);
}
void between(mesh::view m, values::accessor<ro, ro> u, values::accessor<wo> on_faces) {
  for(const auto f : m.owned<kind::faces>()) {
    double sum = 0;
    for(const auto c : m.cells_of(f))
      sum += u(c);
    on_faces(f) = sum * static_cast<double>(m.cells_of(f).size());
  }
}
void hand_out(mesh::view m, values::accessor<ro> u, values::accessor<rw, fold::sum> on_vertices) {
  for(const auto v : m.owned<kind::vertices>())
    on_vertices(v) = 0;
  for(const auto c : m.owned<kind::cells>())
    for(const auto v : m.vertices_of(c))
      on_vertices(v) += u(c);
}
void gather(mesh::view m, values::accessor<wo> to, values::accessor<ro, ro> u,
  values::accessor<ro, ro> on_faces, values::accessor<ro, ro> on_vertices) {
  for(const auto c : m.owned<kind::cells>()) {
    double sum = u(c);
    for(const auto n : m.cells_of(c))
      sum += u(n);
    for(const auto f : m.faces_of(c))
      sum += on_faces(f);
    for(const auto v : m.vertices_of(c))
      sum += on_vertices(v);
    to(c) = small(sum);
  }
}
void look_around(mesh::view m, values::accessor<ro, ro> u, values::accessor<rw> on_vertices) {
  for(const auto v : m.owned<kind::vertices>())
    for(const auto c : m.cells_of(v))
      on_vertices(v) += 3 * u(c);
}
std::uint64_t bits(
  mesh::view m, values::accessor<ro> u, values::accessor<ro> on_vertices, values::accessor<ro> f) {
  std::uint64_t h = 0;
  for(const auto c : m.owned<kind::cells>())
    h += meshes::mix(static_cast<std::uint64_t>(m.id(c)), std::bit_cast<std::uint64_t>(u(c)));
  for(const auto v : m.owned<kind::vertices>())
    h += meshes::mix(
      1000 + static_cast<std::uint64_t>(m.id(v)), std::bit_cast<std::uint64_t>(on_vertices(v)));
  for(const auto e : m.owned<kind::faces>())
    h += meshes::mix(1, std::bit_cast<std::uint64_t>(f(e)));
  return h;
}
std::int64_t members(mesh::view m, mesh_set set) {
  return static_cast<std::int64_t>(m.owned<kind::faces>(set).size()) +
         1000 * static_cast<std::int64_t>(m.owned<kind::vertices>(set).size()) +
         1'000'000 * static_cast<std::int64_t>(m.owned<kind::cells>(set).size());
}
} // namespace task

/// The same over all of a mesh, by the numbers that cells and vertices have there.
class alone {
public:
  explicit alone(const whole_mesh& w) : w_(w), u_(w.cells.size()) {
    for(std::size_t c = 0; c != u_.size(); ++c) {
      u_[c] = first_value(static_cast<std::int64_t>(c), 1);
      faces_.push_back(random_meshes::faces_of(w.dimension, w.cells[c]));
      for(const ids& f : faces_.back())
        cells_of_[f].push_back(c);
    }
  }
  void half_a_pass() {
    on_faces_.clear();
    on_vertices_.clear();
    for(const auto& [f, cells] : cells_of_)
      for(const std::size_t c : cells)
        on_faces_[f] += u_[c] * static_cast<double>(cells.size());
    for(std::size_t c = 0; c != u_.size(); ++c)
      for(const std::int64_t v : w_.cells[c])
        on_vertices_[v] += u_[c];
    std::vector<double> to = u_;
    for(std::size_t c = 0; c != u_.size(); ++c) {
      std::set<std::size_t> near; // some share two faces
      for(const ids& f : faces_[c]) {
        to[c] += on_faces_[f];
        near.insert(cells_of_[f].begin(), cells_of_[f].end());
      }
      for(const std::size_t n : near)
        to[c] += n == c ? 0 : u_[n];
      for(const std::int64_t v : w_.cells[c])
        to[c] += on_vertices_[v];
      to[c] = small(to[c]);
    }
    u_ = to;
  }
  std::uint64_t bits() {
    std::uint64_t h = 0;
    for(std::size_t c = 0; c != u_.size(); ++c) {
      h += meshes::mix(c, std::bit_cast<std::uint64_t>(u_[c]));
      for(const std::int64_t v : w_.cells[c])
        on_vertices_[v] += 3 * u_[c];
    }
    for(const auto& [v, x] : on_vertices_)
      h += meshes::mix(1000 + static_cast<std::uint64_t>(v), std::bit_cast<std::uint64_t>(x));
    for(const auto& [f, x] : on_faces_)
      h += meshes::mix(1, std::bit_cast<std::uint64_t>(x));
    return h;
  }

private:
  const whole_mesh& w_;
  std::vector<double> u_;
  std::vector<random_meshes::elements> faces_;
  std::map<ids, std::vector<std::size_t>> cells_of_;
  std::map<ids, double> on_faces_;
  std::map<std::int64_t, double> on_vertices_;
};

enum class how { plain, traced, repeated, repeated_twice, ahead };

constexpr int passes = 6;

/// So many passes.
void loop(scheduler& s, how way, const std::function<void()>& pass) {
  switch(way) {
  case how::plain:
    for(int i = 0; i != passes; ++i)
      pass();
    break;
  case how::traced: {
    trace t;
    for(int i = 0; i != passes; ++i) {
      const auto g = t.make_guard();
      pass();
    }
    break;
  }
  case how::repeated:
    s.repeat(passes, pass);
    break;
  case how::repeated_twice:
    s.repeat(2, [&] {
      pass();
      s.repeat(2, pass);
    });
    break;
  case how::ahead:
    static_cast<void>(s.iterate({.max = 100}, [&](std::uint64_t i) {
      pass();
      return make_ready(i + 1 == passes);
    }));
    break;
  }
}

using pieces = std::function<mesh_piece(unsigned, unsigned)>;

std::uint64_t run(
  scheduler& s, const pieces& from, const unstructured_options& options, how way, double scale) {
  const mesh m{s, from, options};
  const values u{m, "u"}, v{m, "v"}, on_faces{m.of<kind::faces>(), "on faces"},
    on_vertices{m.of<kind::vertices>(), "on vertices"};
  const auto half_a_pass = [&](const values& to, const values& u_now) {
    s.execute<task::between>(m, u_now, on_faces);
    s.execute<task::hand_out>(m, u_now, on_vertices);
    s.execute<task::gather>(m, to, u_now, on_faces, on_vertices);
  };
  s.execute<task::fill>(m, u, scale);
  loop(s, way, [&] {
    half_a_pass(v, u);
    half_a_pass(u, v);
  });
  s.execute<task::look_around>(m, u, on_vertices);
  return s.reduce<task::bits, fold::sum>(m, u, on_vertices, on_faces).get();
}

std::vector<std::unique_ptr<transport>> transports(unsigned ranks, bool share_memory) {
  return share_memory ? make_shared_memory_transports(ranks, 2) : make_local_transports(ranks);
}

/// On 1 to 3 ranks; all ranks of all numbers have to say the same. Returns that.
std::uint64_t run_everywhere(const whole_mesh& w, std::uint64_t seed,
  const unstructured_options& options, how way, double scale) {
  std::vector<std::uint64_t> said;
  for(const auto& [ranks, share_memory] :
    {std::pair{1U, false}, {2U, false}, {3U, false}, {3U, true}}) {
    std::vector<std::uint64_t> here(ranks);
    on_ranks(transports(ranks, share_memory), 1, [&](scheduler& s) {
      const pieces from = [&](unsigned part, unsigned parts) {
        return random_meshes::piece_of(w, seed, part, parts);
      };
      here[s.rank()] = run(s, from, options, way, scale);
    });
    said.insert(said.end(), here.begin(), here.end());
  }
  for(const std::uint64_t x : said)
    CHECK(x == said[0]);
  return said[0];
}

cut_function random_cut(std::uint64_t seed) {
  return [seed](detail::team&, const uncut_cells& cells, color_id colors) {
    std::vector<color_id> all;
    for(std::size_t n = 0; n != cells.centers.size(); ++n) {
      const auto c = static_cast<std::uint64_t>(cells.first) + n;
      all.push_back(c < colors ? c : meshes::mix(seed, c) % colors);
    }
    return all;
  };
}

} // namespace

TEST_CASE("programs over an unstructured mesh compute what they compute over all of it at once") {
  for(const std::uint64_t seed : {5U, 6U, 7U, 8U, 9U}) { // of each kind of cells
    const whole_mesh w = random_meshes::random_mesh(seed);
    alone right(w);
    for(int half = 0; half != 2 * passes; ++half)
      right.half_a_pass();
    const std::uint64_t bits = right.bits();
    for(const how way : {how::plain, how::traced, how::repeated, how::repeated_twice, how::ahead}) {
      INFO("seed " << seed << ", loop " << static_cast<int>(way));
      unstructured_options o{.colors = 4};
      if(way != how::plain)
        o.cut = random_cut(seed);
      if(way == how::repeated)
        o.ghosts = 2;
      CHECK(run_everywhere(w, seed, o, way, 1) == bits);
    }
  }
}

TEST_CASE("colors may see less or more of each other, the same on any number of ranks") {
  const whole_mesh w = random_meshes::random_mesh(6);
  for(const unsigned ghosts : {0U, 1U, 3U})
    for(const seen_over over : {seen_over::vertices, seen_over::faces}) {
      INFO("ghosts " << ghosts << ", over " << static_cast<int>(over));
      static_cast<void>(run_everywhere(w, 6,
        {.colors = 5, .ghosts = ghosts, .over = over, .cut = random_cut(6)}, how::plain, 1. / 3));
    }
}

namespace {
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
void on_some_ranks(const std::function<void(scheduler&)>& program) {
  for(const unsigned ranks : {1U, 3U})
    on_ranks(make_local_transports(ranks), 1, program);
}
} // namespace

TEST_CASE("an unstructured mesh says what it has, and is a handle") {
  on_some_ranks([](scheduler& s) {
    mesh made{s, box_of_triangles{4, 3}, {.colors = 5, .name = "plate"}};
    const mesh m = std::move(made);
    expect(contains(thrown_by([&] { const values u(made, "u"); }), "was moved"));
    expect(m.colors() == 5 && m.dimension() == 2);
    expect(m.count<kind::cells>() == 24 && m.count<kind::vertices>() == 20 &&
           m.count<kind::faces>() == 43);
    expect(s.reduce<task::members, fold::sum>(m, m.find("left")).get() == 3 + 1000 * 4);
    expect(thrown_by([&] { static_cast<void>(m.find("lid")); }) ==
           "rondo::unstructured: no set is called 'lid'. There are 'bottom', 'left', 'right', "
           "'top'.");
    const mesh of_each_rank{s, box_of_triangles{8, 8}};
    expect(of_each_rank.colors() == std::uint64_t{4} * s.ranks());
    const values u{m, "u"}, other{of_each_rank, "other"};
    s.execute<task::fill>(m, u, 1.);
    expect(contains(thrown_by([&] { s.execute<task::fill>(m, other, 1.); }),
      "'other' belongs to another topology"));
  });
}

TEST_CASE("an unstructured mesh without ghosts has none of cells") {
  on_some_ranks([](scheduler& s) {
    const mesh m{s, box_of_tetrahedra{2, 2, 2}, {.colors = 6, .ghosts = 0}};
    expect(!m.space().has_ghosts());
  });
}

TEST_CASE("what a mesh can't be made of is told, and nothing is broken by that") {
  on_some_ranks([](scheduler& s) {
    expect(thrown_by([&] {
      const mesh m(
        s, [](unsigned, unsigned) -> mesh_piece { throw std::runtime_error("no file"); });
    }) == "no file");
    expect(
      contains(thrown_by([&] { const mesh m(s, [](unsigned, unsigned) { return mesh_piece{}; }); }),
        "the mesh has no cells"));
    expect(contains(thrown_by([&] {
      const mesh m(s, box_of_triangles{2, 2}, {.colors = 9});
    }),
      "9 colors of 8 cells"));
    expect(contains(thrown_by([&] {
      s.repeat(2, [&] { const mesh m(s, box_of_triangles{4, 4}, {.colors = 2}); });
    }),
      "a mesh"));
    const mesh m{s, box_of_triangles{4, 4}, {.colors = 2}};
    const values u{m, "u"};
    s.execute<task::fill>(m, u, 1.);
  });
}

namespace {

using pieces_of = unstructured<kind::cells, kind::vertices, kind::edges, kind::faces>;

/// Counts what is not as in the rows that have the length of each cell.
template<std::size_t Vertices, std::size_t Edges, std::size_t Faces>
std::int64_t differences(pieces_of::view m) {
  const auto vertices_of = m.vertices_of<Vertices>();
  const auto edges_of = m.edges_of<Edges>();
  const auto faces_of = m.faces_of<Faces>();
  std::int64_t count = 0;
  const auto compare = [&](const auto& row, const auto& right) {
    count +=
      row.size() == right.size() && std::equal(row.begin(), row.end(), right.begin()) ? 0 : 1;
  };
  for(const auto c : m.all<kind::cells>()) {
    compare(vertices_of(c), m.vertices_of(c));
    compare(edges_of(c), m.edges_of(c));
    compare(faces_of(c), m.faces_of(c));
  }
  return count;
}

/// A triangle beside a square.
mesh_piece mixed(unsigned part, unsigned /*parts*/) {
  mesh_piece p{.dimension = 2};
  if(part != 0)
    return p;
  const position at[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}};
  for(std::int64_t v = 0; v != 5; ++v)
    p.add_vertex(v, at[v]);
  p.add_cell({0, 1, 2, 3});
  p.add_cell({1, 4, 2});
  return p;
}

template<std::size_t... Lengths>
std::string told_of_lengths(const pieces& from) {
  std::string what;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const pieces_of m{s, from, {.colors = 1}};
    const auto count = s.reduce<differences<Lengths...>, fold::sum>(m);
    what = thrown_by([&s] { s.wait(); });
    expect(!what.empty() || count.get() == 0);
  });
  return what;
}

} // namespace

TEST_CASE("rows of cells of one shape have a length that the compiler knows") {
  const auto said = [](const std::string& length) {
    return "rondo::unstructured: a task asks for cells that have " + length +
           " each, and some of this color have others; take ";
  };
  CHECK(told_of_lengths<3, 3, 3>(box_of_triangles{4, 3}).empty());
  CHECK(told_of_lengths<4, 6, 4>(box_of_tetrahedra{2, 2, 2}).empty());
  CHECK(contains(
    told_of_lengths<4, 3, 3>(box_of_triangles{4, 3}), said("4 vertices") + "vertices_of(c)"));
  CHECK(contains(
    told_of_lengths<4, 4, 4>(box_of_tetrahedra{2, 2, 2}), said("4 edges") + "edges_of(c)"));
  CHECK(contains(
    told_of_lengths<4, 6, 3>(box_of_tetrahedra{2, 2, 2}), said("3 faces") + "faces_of(c)"));
  CHECK(contains(told_of_lengths<3, 3, 3>(mixed), said("3 vertices")));
  CHECK(contains(told_of_lengths<4, 4, 4>(mixed), said("4 vertices")));
}

#ifdef RONDO_CHECKS

namespace {

void take_vertices_for_cells(mesh::view m, values::accessor<ro> u, values::accessor<rw> to) {
  for(const auto v : m.owned<kind::vertices>())
    to(v) += u(v);
}

} // namespace

TEST_CASE("a field of cells isn't asked for vertices") {
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const mesh m{s, box_of_triangles{2, 2}, {.colors = 1}};
    const values on_cells{m, "u"}, on_vertices{m.of<kind::vertices>(), "v"},
      to{m.of<kind::vertices>(), "to"};
    s.execute<take_vertices_for_cells>(m, on_vertices, to);
    expect(thrown_by([&s] { s.wait(); }).empty());
    s.execute<take_vertices_for_cells>(m, on_cells, to);
    expect(thrown_by([&s] { s.wait(); }) ==
           "field 'u' of color 0, which owns [0, 8): it has a value for each cell, and is asked "
           "for vertex 0; take a cell, or launch the task with a field of the kind that it is "
           "written for (docs/mistakes.md)");
  });
}

#endif
