// Colors that go to other ranks, with all that belongs to them.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>
#include <rondo/topologies.hpp>

#include "meshes.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using grid = structured<2>;
using values = field<double>;
using rows = field<ragged<std::int64_t>>;

constexpr std::int64_t width = 24, height = 20;
const structured_options<2> plate{
  .extents = {width, height}, .colors = {4, 4}, .periodic = {true, false}};

double start(std::int64_t i, std::int64_t j) {
  return static_cast<double>(meshes::mix(static_cast<std::uint64_t>(i * 1000 + j), 1) % 1000) / 7;
}

namespace task {
void begin(grid::view m, values::accessor<wo> u, rows::accessor<wo> r) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      u(i, j) = start(i, j);
      r(i, j).clear();
      for(std::int64_t k = 0; k != (i * j) % 5; ++k)
        r(i, j).push_back(i * 100 + j * 10 + k);
    }
}
void smooth(grid::view m, values::accessor<rw> to, values::accessor<ro, ro> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.owned(0))
      to(i, j) = (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1)) / 4 + 0.25;
}
void relax(grid::view m, values::accessor<rw, ro> u) {
  for(const auto j : m.interior(1))
    for(const auto i : m.owned(0))
      u(i, j) = (u(i - 1, j) + u(i + 1, j)) / 3;
}
double sum(grid::view m, values::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}
std::int64_t sum_of_rows(grid::view m, rows::accessor<ro, ro> r) {
  std::int64_t all = 0;
  for(const auto j : m.interior(1))
    for(const auto i : m.owned(0))
      for(const auto& row : {r(i, j), r(i + 1, j), r(i, j - 1)})
        for(const std::int64_t x : row)
          all = (all * 31 + x) % 1000003;
  return all;
}
void mark(topo::index::view c, values::accessor<wo> x) {
  x() = static_cast<double>(c.color() * c.color());
}
std::uint64_t wrong_marks(topo::index::view c, values::accessor<ro> x) {
  return x() != static_cast<double>(c.color() * c.color());
}
void rest(grid::view m, values::accessor<rw>) {
  if(m.color() < 4)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
void fail(grid::view m, values::accessor<rw>) {
  if(m.color() == 3)
    throw std::runtime_error("as it should");
}
} // namespace task

/// The same whatever ranks there are, and wherever colors are; `move` is called now and then.
std::vector<double> everything(scheduler& s, const std::function<void(grid&)>& move) {
  grid m{s, plate};
  grid coarse = m.coarsened(2);
  grid faces = m.faces(0);
  values u{m, "u"}, v{m, "v"}, w{coarse, "w"}, f{faces, "f"};
  rows r{m, "r"}, rf{faces, "rf"};
  topo::index pieces{m};
  values x{pieces, "x"};
  std::vector<double> seen;
  const auto look = [&] {
    seen.push_back(s.reduce<task::sum, fold::sum>(m, u).get());
    seen.push_back(s.reduce<task::sum, fold::sum>(m, v).get());
    seen.push_back(s.reduce<task::sum, fold::sum>(coarse, w).get());
    seen.push_back(s.reduce<task::sum, fold::sum>(faces, f).get());
    seen.push_back(static_cast<double>(s.reduce<task::sum_of_rows, fold::sum>(m, r).get()));
    seen.push_back(static_cast<double>(s.reduce<task::sum_of_rows, fold::sum>(faces, rf).get()));
    seen.push_back(static_cast<double>(s.reduce<task::wrong_marks, fold::sum>(pieces, x).get()));
    seen.push_back(s.from({5, 7}, u).get());
    seen.push_back(s.from(11, x).get());
  };
  s.execute<task::begin>(m, u, r);
  s.execute<task::begin>(faces, f, rf);
  s.execute<task::mark>(pieces, x);
  move(m);
  look();
  trace t;
  for(int round = 0; round != 4; ++round) {
    s.repeat(3, [&] {
      s.execute<task::smooth>(m, v, u);
      s.execute<task::smooth>(m, u, v);
    });
    for(int pass = 0; pass != 5; ++pass) {
      const auto g = t.make_guard();
      s.execute<task::relax>(m, u);
      s.execute<task::relax>(faces, f);
    }
    s.copy(u, w);
    move(round % 2 == 0 ? m : coarse);
    look();
  }
  return seen;
}

double cost_of(color_id c, std::uint64_t round) {
  return static_cast<double>(meshes::mix(c, round) % 20);
}

} // namespace

TEST_CASE("colors that move take everything along", "[balance]") {
  std::vector<double> expected;
  on_ranks(
    make_local_transports(1), 2, [&](scheduler& s) { expected = everything(s, [](grid&) {}); });
  CHECK(expected.size() == 5 * 9);
  for(const unsigned ranks : {1U, 2U, 3U, 5U}) {
    std::uint64_t moved = 0;
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      std::uint64_t round = 0, here = 0;
      const auto seen = everything(s, [&](grid& m) {
        const balance_result b =
          m.balance({.cost = [&](color_id c) { return cost_of(c, round); }, .least_gain = 0});
        expect(b.after <= b.before && b.after >= 1 - 1e-9 && b.was_measured);
        expect(!m.mine().empty());
        here += b.moved;
        ++round;
      });
      expect(seen == expected);
      if(s.rank() == 0)
        moved = here;
    });
    CHECK((moved != 0) == (ranks != 1));
  }
}

TEST_CASE("what costs most is measured", "[balance]") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    grid m{s, {.extents = {16, 4}, .colors = {8, 1}}};
    values u{m, "u"};
    expect(m.mine().size() == 4);
    const auto work = [&] {
      for(int n = 0; n != 10; ++n)
        s.execute<task::rest>(m, u);
    };
    work();
    const balance_result first = m.balance();
    expect(!first.was_measured && first.moved == 0);
    work();
    const balance_result second = m.balance();
    expect(second.was_measured && second.moved != 0 && second.after < second.before);
    // Rank 0 had all four that take long.
    expect(s.rank() == 0 ? m.mine().size() < 4 : m.mine().contains(3));
    work();
    const balance_result third = m.balance({.least_gain = 0.3});
    expect(third.was_measured && third.moved == 0 && third.before < second.before);
    expect(third.before == third.after);
  });
}

TEST_CASE("measuring can begin before the first balance", "[balance]") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    grid m{s, {.extents = {16, 4}, .colors = {8, 1}}};
    values u{m, "u"};
    m.measure_costs();
    for(int n = 0; n != 10; ++n)
      s.execute<task::rest>(m, u);
    expect(m.balance().has_moved());
  });
}

TEST_CASE("colors stay if little would be gained", "[balance]") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    grid m{s, plate};
    const auto cost = [](color_id c) { return c < 8 ? 1.02 : 1.0; };
    expect(!m.balance({.cost = cost}).has_moved());
    expect(m.balance({.cost = [](color_id) { return 0.0; }}).before == 1);
    expect(m.mine().size() == 8);
  });
}

namespace {

/// Columns of a bar: a color sees the last element of the one before it. Answers for any color.
class bar final : public topo::index_space {
public:
  struct part {
    color_id color;
  };
  class view {
  public:
    using of_topology = topo::made_of<bar>;
    explicit view(const part& p) : color_(p.color) {}
    [[nodiscard]] color_id color() const { return color_; }

  private:
    color_id color_;
  };
  explicit bar(bool moves) : moves_(moves) {}
  [[nodiscard]] color_id colors() const { return 7; }
  [[nodiscard]] part part_of(color_id c) const { return {c}; }
  [[nodiscard]] topo::block_layout layout(color_id c) const override {
    return topo::block_layout::in_a_row(c == 0 ? 3 : 4);
  }
  [[nodiscard]] topo::selection owned(color_id) const override {
    return topo::selection::of_range(0, 3);
  }
  [[nodiscard]] std::vector<topo::neighbour> neighbours(color_id c) const override {
    std::vector<topo::neighbour> all;
    const auto one = [](std::int64_t i) { return topo::selection::of_range(i, i + 1); };
    if(c != 0)
      all.push_back({c - 1, c - 1, c, one(3), one(2), {}});
    if(c != 6)
      all.push_back({c + 1, c + 1, c, {}, {}, one(2)});
    return all;
  }
  [[nodiscard]] bool has_ghosts() const override { return true; }
  [[nodiscard]] bool can_move() const override { return moves_; }

private:
  bool moves_;
};
using bars = topo::made_of<bar>;

namespace task {
void set(bars::view m, values::accessor<rw, ro> u) {
  for(int i = 0; i != 3; ++i)
    u(i) = u(i) * 3 + static_cast<double>(m.color()) + (m.color() == 0 ? 0.5 : u(3));
}
double add(bars::view, values::accessor<ro> u) { return u(0) + u(1) * 3 + u(2) * 7; }
void balance_in_task(bars::view m, bars* of) {
  if(m.color() == 2)
    of->balance();
}
} // namespace task

double of_bars(scheduler& s, bool moves) {
  bars m{s, bar(true), {.name = "bar"}};
  values u{m, "u"};
  for(std::uint64_t n = 0; n != 6; ++n) {
    s.execute<task::set>(m, u);
    if(moves)
      m.balance({.cost = [&](color_id c) { return cost_of(c, n); }, .least_gain = 0});
  }
  return s.reduce<task::add, fold::sum>(m, u).get();
}

std::string told(scheduler& s, const std::function<void()>& mistake) {
  static_cast<void>(s);
  return thrown_by(mistake);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("topologies of a program's own move if they say so", "[balance]") {
  double expected = 0;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) { expected = of_bars(s, false); });
  on_ranks(
    make_local_transports(3), 1, [&](scheduler& s) { expect(of_bars(s, true) == expected); });
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    bars m{s, bar(false), {.name = "iron"}};
    const std::string text = told(s, [&] { m.balance(); });
    expect(has(text, "balance_tests.cpp") && has(text, "'iron'") && has(text, "can_move"));
  });
}

TEST_CASE("what can't be balanced is refused, and nothing has changed", "[balance]") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    grid m{s, plate};
    values u{m, "u"};
    topo::global all{s};
    expect(has(told(s, [&] { all.balance(); }), "a global topology has no colors"));
    expect(has(told(s, [&] { s.repeat(2, [&] { m.balance(); }); }), "call it between two loops"));
    expect(has(told(s, [&] { m.balance({.cost = [](color_id) { return std::nan(""); }}); }),
      "the cost of color"));
    expect(has(told(s, [&] { m.balance({.cost = [](color_id) { return -1.0; }}); }), "at least 0"));
    // One rank alone has it, and all are told.
    expect(
      has(told(s, [&] { m.balance({.cost = [](color_id c) { return c == 13 ? -2.5 : 1.0; }}); }),
        "the cost of color 13 is -2.5"));
    expect(m.mine().size() == 8);
  });
}

TEST_CASE("the function that says what colors cost does not launch, and may throw", "[balance]") {
  on_ranks(make_local_transports(3), 1, [](scheduler& s) {
    grid m{s, plate};
    values u{m, "u"};
    const auto tried = [&](const std::function<double(color_id)>& cost) {
      return told(s, [&] { m.balance({.cost = cost}); });
    };
    const std::string by_function = "by the function that says what a color costs";
    expect(has(
      tried([&](color_id) { return s.reduce<task::sum, fold::sum>(m, u).get(); }), by_function));
    expect(has(tried([&](color_id) {
      s.execute<task::rest>(m, u);
      return 1.;
    }),
      by_function));
    expect(has(tried([&](color_id) { return m.balance().before; }), by_function));
    expect(has(tried([&](color_id) {
      values{m, "w"};
      return 1.;
    }),
      by_function));
    // One rank throws, and all others know.
    const std::string text = tried([](color_id c) -> double {
      if(c == 4)
        throw std::runtime_error("no cost today");
      return 1;
    });
    expect(has(text, m.mine().contains(4) ? "no cost today" : "has thrown on the rank of color"));
    // Nothing has happened.
    expect(m.balance({.cost = [](color_id c) { return c < 3 ? 1e308 : 1e307; }}).after < 1.5);
    expect(s.reduce<task::sum, fold::sum>(m, u).get() == 0);
  });
}

TEST_CASE("ranks that balance with different options are told", "[balance]") {
  on_ranks(make_local_transports(3), 1, [](scheduler& s) {
    grid m{s, plate};
    const std::string text = told(s, [&] { m.balance({.least_gain = s.rank() == 1 ? 0.5 : 0.1}); });
    expect(has(text, "different options"));
    const double none = std::nan("");
    expect(has(told(s, [&] { m.balance({.least_gain = none}); }), ".least_gain is no number"));
  });
}

TEST_CASE("balance throws what a task has thrown", "[balance]") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    grid m{s, plate};
    values u{m, "u"};
    s.execute<task::fail>(m, u);
    expect(has(told(s, [&] { m.balance(); }), "as it should"));
    expect(!m.balance().has_moved());
    s.execute<task::rest>(m, u);
  });
}

TEST_CASE("tasks don't balance", "[balance]") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    bars m{s, bar(true), {.name = "bar"}};
    s.execute<task::balance_in_task>(m, &m);
    expect(has(told(s, [&] { s.wait(); }), "balance"));
  });
}
