// Launches in the body of repeat() that take what another one has computed in the same pass: passes are launched one by one then.

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "folder_of_test.hpp"
#include "line_tasks.hpp"
#include "ranks.hpp"

using namespace rondo;
using namespace line_tasks;

namespace {

void number(line::view m, numbers::accessor<wo> x) { x() = static_cast<double>(m.color()); }
void reset(numbers::accessor<wo> x) { x() = 0; }
void add(numbers::accessor<rw> n, double x) { n() = n() / 2 + x; }
double get(numbers::accessor<ro> n) { return n(); }
void note(double x, std::vector<double>* all) { all->push_back(x); }

/// The places of a pass where a future may be taken, and how it may have been made.
enum class way { directly, then, then_then, when_all, from_rank_0, of_color };
constexpr std::array ways{
  way::directly, way::then, way::then_then, way::when_all, way::from_rank_0, way::of_color};

future<double> made(scheduler& s, way how, future<double> x, const numbers& of_colors) {
  switch(how) {
  case way::directly:
    return x;
  case way::then:
    return x.then([](double y) { return y + 1; });
  case way::then_then:
    return x.then([](double y) { return y + 1; }).then([](double y) { return y / 2; });
  case way::when_all:
    return when_all(x, x.then([](double y) { return y / 3; }))
      .then([](const std::tuple<double, double>& t) { return std::get<0>(t) + std::get<1>(t); });
  case way::from_rank_0:
    return s.execute<on_rank_0>(x);
  case way::of_color:
    return s.from(x.then([](double y) { return static_cast<color_id>(y) % 4; }), of_colors);
  }
  return x;
}

struct program {
  scheduler& s;
  way how;
  bool in_front; ///< The future is taken before ghosts are read again; else behind.
  line m{s, {.extents = {points}, .colors = {4}}};
  topo::index pieces{m};
  topo::global everywhere{s};
  numbers u{m, "u"}, v{m, "v"}, coefficients{m, "c"}, of_colors{pieces, "of colors"},
    n{everywhere, "n"};

  void begin() {
    s.execute<start>(m, u);
    s.execute<start>(m, coefficients);
    s.execute<number>(m, of_colors);
    s.execute<reset>(n);
  }
  void pass(std::vector<double>* noted) {
    s.execute<smooth>(m, v, u);
    const future<double> x = made(s, how, s.reduce<most, fold::max>(m, v), of_colors);
    if(in_front)
      s.execute<scale>(m, v, x.then([](double y) { return y + 2; }));
    s.execute<smooth>(m, u, v);
    s.execute<smooth>(m, v, coefficients); // whose ghosts nobody writes
    if(!in_front)
      s.execute<scale>(m, u, x.then([](double y) { return y + 2; }));
    s.execute<add>(n, x);
    s.execute<note>(x, noted);
  }
  /// Of all.
  std::vector<double> results() {
    return {s.reduce<sum, fold::sum>(m, u).get(), s.reduce<sum, fold::sum>(m, v).get(),
      s.reduce<get, fold::sum>(n).get()};
  }
};

} // namespace

TEST_CASE("what a pass of repeat computes is taken in the same pass, as in a plain loop") {
  const way how = GENERATE(from_range(ways));
  const bool in_front = GENERATE(true, false);
  CAPTURE(static_cast<int>(how), in_front);
  std::vector<double> expected, noted_in_plain;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    program p{s, how, in_front};
    p.begin();
    for(int k = 0; k != 9; ++k)
      p.pass(&noted_in_plain);
    expected = p.results();
  });
  REQUIRE(noted_in_plain.size() == 9);
  std::vector<double> noted;
  on_ranks(make_local_transports(GENERATE(1U, 2U, 3U)), GENERATE(1U, 2U), [&](scheduler& s) {
    program p{s, how, in_front};
    p.begin();
    s.repeat(4, [&] { p.pass(&noted); });
    s.repeat(5, [&] { p.pass(&noted); });
    expect(p.results() == expected);
  });
  CHECK(noted == noted_in_plain);
}

TEST_CASE(
  "all ranks launch passes one by one, where only one of them launches what takes the future") {
  std::vector<double> expected;
  for(const unsigned ranks : {1U, 2U, 3U}) {
    std::vector<double> noted;
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      program p{s, way::directly, true};
      p.begin();
      s.repeat(9, [&] {
        s.execute<smooth>(p.m, p.v, p.u);
        s.execute<note>(s.reduce<sum, fold::sum>(p.m, p.v), &noted);
        s.execute<smooth>(p.m, p.u, p.v);
        s.execute<smooth>(p.m, p.coefficients, p.u); // the next pass has to fetch nothing of u
      });
      const std::vector<double> all = p.results();
      if(s.rank() == 0)
        noted.insert(noted.end(), all.begin(), all.end());
    });
    CHECK(noted.size() == 12);
    if(ranks == 1)
      expected = noted;
    CHECK(noted == expected);
  }
}

TEST_CASE("with futures of the loop before, and of the one around, the body is called twice") {
  on_ranks(make_local_transports(GENERATE(1U, 2U)), 2, [](scheduler& s) {
    const line m{s, {.extents = {points}, .colors = {4}}};
    const numbers u{m, "u"};
    s.execute<start>(m, u);
    future<double> x;
    s.repeat(3, [&] {
      s.execute<scale>(m, u, 2.);
      x = s.reduce<most, fold::max>(m, u).then([](double y) { return y + 1; });
    });
    int calls = 0;
    const future<double> two = make_ready<double>(2.);
    s.repeat(50, [&] {
      ++calls;
      s.execute<scale>(m, u, x);
      s.execute<scale>(m, u, two);
    });
    expect(calls == 2);
    s.repeat(2, [&] {
      const future<double> around = s.reduce<most, fold::max>(m, u);
      s.repeat(50, [&] {
        ++calls;
        s.execute<scale>(m, u, around.then([](double y) { return y; })); // made in the inner one
      });
      s.repeat(50, [&] {
        ++calls;
        s.execute<scale>(m, u, around);
      });
    });
    expect(calls == 2 + 2 * 50 + 2 * 2);
  });
}

TEST_CASE("the time of a file in the body of repeat may be computed in the pass") {
  const folder_of_test here;
  on_ranks(make_local_transports(GENERATE(1U, 3U)), 2, [&](scheduler& s) {
    const line m{s, {.extents = {points}, .colors = {4}}};
    numbers u{m, "u"};
    s.execute<start>(m, u);
    file_series all(s, here / "u.vti");
    std::vector<future<double>> times;
    s.repeat(3, [&] {
      s.execute<scale>(m, u, 2.);
      times.push_back(s.reduce<most, fold::max>(m, u));
      all.write(times.back(), m, u);
    });
    expect(times.size() == 3);
    for(const int k : {0, 1, 2}) {
      const std::string path = here / ("u.000" + std::to_string(k) + ".vti");
      expect(s.read(path, m, u).time.get() == times[static_cast<std::size_t>(k)].get());
      expect(s.reduce<most, fold::max>(m, u).get() == times[static_cast<std::size_t>(k)].get());
    }
  });
}
