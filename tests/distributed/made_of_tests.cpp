// Topologies of a program's own, run on ranks of one process.

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "graphs.hpp"
#include "ranks.hpp"

using namespace rondo;
using graphs::at;
using graphs::cells;
using graphs::web;

namespace {

using net = topo::made_of<cells>;
using numbers = field<double>;

double first_value(std::int64_t cell) { return std::sin(1 + static_cast<double>(cell)); }

namespace task {
void fill(net::view m, numbers::accessor<wo> u) {
  for(const auto c : m.owned())
    u(c) = first_value(m.cell(c));
}
void smooth(net::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto c : m.owned()) {
    double sum = from(c);
    for(const auto n : m.neighbours_of(c))
      sum += from(n);
    to(c) = sum / static_cast<double>(1 + m.neighbours_of(c).size());
  }
}
/// Along each link once: from the cell with the lower number in the graph.
void flow(net::view m, numbers::accessor<ro, ro> u, numbers::accessor<rw, fold::sum> change) {
  for(const auto c : m.owned())
    change(c) = 0;
  for(const auto c : m.owned())
    for(const auto n : m.neighbours_of(c))
      if(m.cell(c) < m.cell(n)) {
        const double flows = (u(c) - u(n)) / 128;
        change(c) -= flows;
        change(n) += flows;
      }
}
void add(net::view m, numbers::accessor<rw> u, numbers::accessor<ro> change) {
  for(const auto c : m.owned())
    u(c) += change(c);
}
std::uint64_t bits(net::view m, numbers::accessor<ro> u) {
  std::uint64_t h = 0;
  for(const auto c : m.owned())
    h += meshes::mix(static_cast<std::uint64_t>(m.cell(c)), std::bit_cast<std::uint64_t>(u(c)));
  return h;
}
double sum(net::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto c : m.owned())
    all += u(c);
  return all;
}
void count_cells(net::view m, field<std::int64_t>::accessor<wo> n) { n() = m.owned().size(); }
void both(net::view m, net::view other, numbers::accessor<rw> to, numbers::accessor<ro> from) {
  for(const auto c : m.owned())
    to(c) = from(c) + static_cast<double>(other.owned().size());
}
void look_near(net::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro, 1> from) {
  for(const auto c : m.owned())
    to(c) = from(c);
}
} // namespace task

std::uint64_t bits_of(const std::vector<double>& u) {
  std::uint64_t h = 0;
  for(std::size_t c = 0; c != u.size(); ++c)
    h += meshes::mix(c, std::bit_cast<std::uint64_t>(u[c]));
  return h;
}

std::vector<double> smoothed_alone(const web& g, int passes) {
  std::vector<double> u(g.links.size()), v(u.size());
  for(std::size_t c = 0; c != u.size(); ++c)
    u[c] = first_value(static_cast<std::int64_t>(c));
  for(; passes != 0; --passes, std::swap(u, v))
    for(std::size_t c = 0; c != u.size(); ++c) {
      double sum = u[c];
      for(const std::int64_t n : g.links[c])
        sum += u[at(n)];
      v[c] = sum / static_cast<double>(1 + g.links[c].size());
    }
  return u;
}

/// With what colors add to each other in the order of the colors.
std::vector<double> flowed_alone(const web& g, int passes) {
  std::vector<double> u(g.links.size());
  for(std::size_t c = 0; c != u.size(); ++c)
    u[c] = first_value(static_cast<std::int64_t>(c));
  for(; passes != 0; --passes) {
    std::vector<std::map<color_id, double>> parts(u.size());
    std::vector<double> change(u.size());
    for(color_id color = 0; color != g.cells.size(); ++color) {
      const auto add = [&](std::int64_t cell, double x) {
        if(g.color[at(cell)] == color)
          change[at(cell)] += x;
        else
          parts[at(cell)][color] += x;
      };
      for(const std::int64_t c : g.cells[color])
        for(const std::int64_t n : g.links[at(c)])
          if(c < n) {
            const double flows = (u[at(c)] - u[at(n)]) / 128;
            add(c, -flows);
            add(n, flows);
          }
    }
    for(std::size_t c = 0; c != u.size(); ++c) {
      for(const auto& [color, x] : parts[c])
        change[c] += x;
      u[c] += change[c];
    }
  }
  return u;
}

void on_some_ranks(const std::function<void(scheduler&)>& program) {
  for(const unsigned ranks : {1U, 2U, 3U, 5U})
    on_ranks(make_local_transports(ranks), 2, program);
}

} // namespace

TEST_CASE(
  "fields over a graph have the bits that they have without colors, on any number of ranks") {
  for(const std::uint64_t seed : {1U, 3U, 6U, 8U, 13U, 15U}) {
    const auto g = web::random(seed);
    const std::uint64_t right = bits_of(smoothed_alone(*g, 20));
    on_some_ranks([&](scheduler& s) {
      const net m{s, cells(g), {.name = "graph"}};
      numbers u{m, "u"}, v{m, "v"};
      s.execute<task::fill>(m, u);
      for(int pass = 0; pass != 5; ++pass) {
        s.execute<task::smooth>(m, v, u);
        s.execute<task::smooth>(m, u, v);
      }
      s.repeat(3, [&] {
        s.execute<task::smooth>(m, v, u);
        s.execute<task::smooth>(m, u, v);
      });
      trace t;
      s.iterate(t, {.max = 2}, [&] {
        s.execute<task::smooth>(m, v, u);
        s.execute<task::smooth>(m, u, v);
        return s.reduce<task::sum, fold::sum>(m, u).then([](double) { return false; });
      });
      expect(s.reduce<task::bits, fold::sum>(m, u).get() == right);
    });
  }
}

TEST_CASE("contributions over a graph have the same bits on any number of ranks") {
  for(const std::uint64_t seed : {1U, 3U, 6U, 8U, 13U, 15U}) {
    const auto g = web::random(seed);
    const std::uint64_t right = bits_of(flowed_alone(*g, 10));
    on_some_ranks([&](scheduler& s) {
      const net m{s, cells(g)};
      numbers u{m, "u"}, change{m, "change"};
      s.execute<task::fill>(m, u);
      for(int pass = 0; pass != 10; ++pass) {
        s.execute<task::flow>(m, u, change);
        s.execute<task::add>(m, u, change);
      }
      expect(s.reduce<task::bits, fold::sum>(m, u).get() == right);
    });
  }
}

TEST_CASE("a topology has indices, and others of its colors, and is a handle") {
  const auto g = web::random(13);
  on_some_ranks([&](scheduler& s) {
    net made{s, cells(g)};
    const net m = std::move(made);
    expect(thrown_by([&] { numbers u(made, "u"); }).find("was moved") != std::string::npos);
    expect(m.colors() == g->cells.size());
    expect(m.space().colors() == m.colors());
    const topo::index pieces{m};
    field<std::int64_t> n{pieces, "n"};
    s.execute<task::count_cells>(m, n);
    expect(s.from(1, n).get() == std::ssize(g->cells[1]));

    const net same{m, cells(g), {.name = "the same again"}};
    expect(same.has_colors_of(m));
    numbers u{m, "u"}, v{same, "v"};
    s.execute<task::fill>(same, v);
    s.execute<task::both>(m, same, u, v);
    const net other{s, cells(g)};
    expect(!other.has_colors_of(m));
    numbers w{other, "w"};
    expect(thrown_by([&] {
      s.execute<task::both>(m, m, u, w);
    }).find("belongs to another topology") != std::string::npos);
  });
}

TEST_CASE("there may be fewer colors than ranks") {
  auto g = std::make_shared<web>();
  g->links = {{1}, {0, 2}, {1}};
  g->color = {0, 1, 1};
  g->number = {0, 0, 1};
  g->cells = {{0}, {1, 2}};
  const std::uint64_t right = bits_of(smoothed_alone(*g, 2));
  on_some_ranks([&](scheduler& s) {
    const net m{s, cells(g)};
    numbers u{m, "u"}, v{m, "v"};
    s.execute<task::fill>(m, u);
    s.execute<task::smooth>(m, v, u);
    s.execute<task::smooth>(m, u, v);
    expect(s.reduce<task::bits, fold::sum>(m, u).get() == right);
  });
}

TEST_CASE("what only structured meshes have is refused for a graph, and said what to do") {
  const auto g = web::random(13);
  const auto says = [](const std::string& what, const std::string& part) {
    return what.find(part) != std::string::npos;
  };
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const net m{s, cells(g), {.name = "graph"}};
    const structured<1> line{s, {.extents = {16}, .colors = {4}}};
    numbers u{m, "u"}, v{m, "v"}, x{line, "x"};
    s.execute<task::fill>(m, u);
    expect(says(thrown_by([&] { const numbers w(m, "w", {.halo = 1}); }),
      ": the field 'w': only fields of structured meshes have a halo; leave it out"));
    expect(says(thrown_by([&] { s.execute<task::look_near>(m, v, u); }),
      "ghosts 1 deep are asked for of the field 'u', whose topology has no halo; declare "
      "accessor<..., ro>, without the number: all ghosts are fetched"));
    expect(says(
      thrown_by([&] { s.copy(u, v); }), "over the same topology a task copies: to(i) = from(i)"));
    expect(says(thrown_by([&] { s.copy(u, x); }), "both have to be fields of structured meshes"));
    const std::string numbered =
      "field 'u' has no points, and several elements for each color: let "
      "a task write the one to a field over topo::index, or return it "
      "to s.reduce";
    expect(thrown_by([&] { static_cast<void>(s.from(2, u)); }).ends_with(numbered));
    expect(thrown_by([&] { static_cast<void>(s.from(point<1>{2}, u)); }).ends_with(numbered));
    expect(says(thrown_by([&] { s.write("made_of_tests.vti", line, u); }),
      "'u' belongs to another topology than the mesh"));
    expect(says(thrown_by([&] { s.read("made_of_tests.vti", line, u); }),
      "'u' belongs to another topology than the mesh"));
    // Nothing is broken by all that.
    s.execute<task::smooth>(m, v, u);
    expect(s.reduce<task::bits, fold::sum>(m, v).get() == bits_of(smoothed_alone(*g, 1)));
  });
}

namespace {
/// One color more than the graph has, or none.
struct wrong_number final : topo::index_space {
  using part = cells::part;
  class view : public cells::view {
  public:
    using of_topology = topo::made_of<wrong_number>;
    using cells::view::view;
  };
  explicit wrong_number(std::uint64_t n) : n_(n) {}
  [[nodiscard]] std::uint64_t colors() const { return n_; }
  [[nodiscard]] part part_of(color_id /*any*/) const { return {}; }
  [[nodiscard]] topo::block_layout layout(color_id /*any*/) const override {
    return topo::block_layout::in_a_row(0);
  }
  [[nodiscard]] topo::selection owned(color_id /*any*/) const override {
    return topo::selection::of_range(0, n_ == 7 ? 1 : 0);
  }
  [[nodiscard]] std::vector<topo::neighbour> neighbours(color_id /*any*/) const override {
    return {};
  }
  [[nodiscard]] bool has_ghosts() const override { return false; }
  std::uint64_t n_;
};
} // namespace

TEST_CASE("a topology that can't be made is refused, and said what to do") {
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const topo::index four{s, {.colors = 4}};
    const topo::global everywhere{s};
    using bad = topo::made_of<wrong_number>;
    expect(thrown_by([&] { const bad m(s, wrong_number(0), {.name = "net"}); }) ==
           "rondo::topo::made_of: net: its index space has no colors; colors() says how many there "
           "are");
    expect(thrown_by([&] { const bad m(four, wrong_number(5)); }) ==
           "rondo::topo::made_of: topology: its index space has 5 colors, and the topology whose "
           "colors it takes has 4; make it with as many");
    expect(thrown_by([&] { const bad m(everywhere, wrong_number(1)); }) ==
           "rondo::topo::made_of: topology: it can't have the colors of a global topology, which "
           "every rank has; name another one, or the scheduler");
    expect(thrown_by([&] { const bad m(s, wrong_number(7)); }) ==
           "rondo::topo::made_of: topology: color 0: its own elements have to be the first ones, "
           "and are [0, 1) of 0; owned() returns topo::selection::of_range(0, how many) "
           "(docs/topologies.md)");
    const bad empty{four, wrong_number(4)};
    numbers u{empty, "u"};
  });
}

#ifdef RONDO_CHECKS

namespace {

/// Two colors of two cells in a row: 0 - 1 - 2 - 3. Color 0 owns elements 0 and 1, and has the ghost 2.
std::shared_ptr<const web> four_in_a_row() {
  auto g = std::make_shared<web>();
  g->links = {{1}, {0, 2}, {1, 3}, {2}};
  g->color = {0, 0, 1, 1};
  g->number = {0, 1, 0, 1};
  g->cells = {{0, 1}, {2, 3}};
  return g;
}

namespace wrong {
using to = numbers::accessor<rw>;
using with_ghosts = numbers::accessor<ro, ro>;
void far(net::view m, to, with_ghosts u) {
  if(m.color() == 0)
    static_cast<void>(u(3));
}
void negative(net::view m, to, with_ghosts u) {
  if(m.color() == 0)
    static_cast<void>(u(-1));
}
void undeclared(net::view m, to, numbers::accessor<ro> u) {
  if(m.color() == 0)
    static_cast<void>(u(2));
}
void two_coordinates(net::view m, to, numbers::accessor<ro> u) {
  if(m.color() == 0)
    static_cast<void>(u(0, 0));
}
void no_coordinate(net::view m, to, numbers::accessor<ro> u) {
  if(m.color() == 0)
    static_cast<void>(u());
}
void write_ghost(net::view m, numbers::accessor<rw, ro> u, numbers::accessor<ro>) {
  if(m.color() == 0)
    const_cast<double*>(&u(0))[2] = 5;
}
void write_some(net::view m, numbers::accessor<wo> u, numbers::accessor<ro>) {
  u(0) = 1;
  if(m.color() == 1)
    u(1) = 1;
}
void still_but_written(net::view m, numbers::accessor<rw, still> u, numbers::accessor<ro>) {
  u(0) += 1;
  for(const auto c : m.ghosts())
    u(1) += u(c);
}
void right(net::view m, numbers::accessor<wo> v, with_ghosts u) {
  v(0) = u(0) + u(1);
  v(1) = u(m.ghosts().first());
}
} // namespace wrong

template<auto F>
std::string told(const std::shared_ptr<const web>& g = four_in_a_row()) {
  std::string what;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const net m{s, cells(g)};
    numbers u{m, "u"}, v{m, "v"};
    s.execute<task::fill>(m, u);
    s.execute<task::fill>(m, v);
    s.execute<F>(m, v, u);
    what = thrown_by([&s] { s.wait(); });
  });
  return what;
}

} // namespace

TEST_CASE("a task that looks at an element which is neither its own nor a ghost is told so") {
  const std::string u = "field 'u' of color 0, which owns [0, 2): ";
  const std::string see = " (docs/mistakes.md)";
  const std::string behind = "loop over what the view says; elements are numbered in each color, "
                             "from 0, and ghosts are behind its own" +
                             see;
  CHECK(told<wrong::right>().empty());
  CHECK(told<wrong::far>() ==
        u + "element 3 is neither its own nor one of its ghosts, [2, 3); " + behind);
  CHECK(told<wrong::negative>() ==
        u + "element -1 is neither its own nor one of its ghosts, [2, 3); " + behind);
  CHECK(told<wrong::undeclared>() == u +
                                       "element 2 belongs to another color, and accessor<ro> sees "
                                       "no ghosts; declare accessor<ro, ro>" +
                                       see);
  CHECK(told<wrong::two_coordinates>() ==
        u + "its elements have 1 coordinate, and it is used as in u(i, j); write u(i)" + see);
  auto alone = std::make_shared<web>();
  alone->links = {{}};
  alone->color = {0};
  alone->number = {0};
  alone->cells = {{0}};
  CHECK(
    told<wrong::no_coordinate>(alone) ==
    "field 'u' of color 0, which owns [0, 1): its elements have 1 coordinate, and it is used as "
    "in u(); write u(i)" +
      see);
  CHECK(told<wrong::far>(alone) ==
        "field 'u' of color 0, which owns [0, 1): element 3 is neither its own nor one of its "
        "ghosts, of which it has none; " +
          behind);
  const std::string v = "field 'v' of color 0, which owns [0, 2): ";
  CHECK(told<wrong::write_ghost>().starts_with(
    v + "element 2 was written, but belongs to another color"));
  CHECK(told<wrong::write_some>().starts_with(
    v + "element 1 was not written, though accessor<wo> promises"));
  CHECK(told<wrong::still_but_written>().find("was looked at, and color ") != std::string::npos);
}

TEST_CASE("a checked build tells neighbours that contradict each other when the topology is made") {
  // Color 1 sees what color 0 doesn't show.
  auto g = std::make_shared<web>();
  g->links = {{1}, {0, 2}, {3}, {2, 1}};
  g->color = {0, 0, 1, 1};
  g->number = {0, 1, 0, 1};
  g->cells = {{0, 1}, {2, 3}};
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    expect(thrown_by([&] {
      const net m(s, cells(g));
    }) == "rondo::topo::made_of: topology: color 0: it sees [0, 1) of color 1, which shows [1, 2); "
          "`rim` there is `source` here, in the same order (docs/topologies.md)");
  });
}

#endif
