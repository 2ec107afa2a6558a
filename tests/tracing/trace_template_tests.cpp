#include <atomic>
#include <cstdint>
#include <ostream>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

#include "futures/support.hpp"

using namespace rondo;
using Catch::Matchers::Contains;

// Each count was made by hand. Each launch also comes after itself in the pass before, and that is
// one of its edges, or one of those left out.

namespace {

struct setting {
  executor ex{2};
  flow f{ex};
  int a = 0, b = 0, c = 0;
  region<int> ra{f, a, "a"}, rb{f, b, "b"}, rc{f, c, "c"};
};

struct what_is_kept {
  std::uint64_t edges;
  std::uint64_t redundant;
  bool operator==(const what_is_kept&) const = default;
};

std::ostream& operator<<(std::ostream& to, const what_is_kept& k) {
  return to << k.edges << " edges, " << k.redundant << " redundant";
}

/// Of a pass of `body()`.
template<class Body>
what_is_kept kept(setting& s, trace& t, Body&& body) {
  for(int pass = 0; pass != 3; ++pass) {
    const auto guard = t.make_guard(s.f);
    body();
  }
  s.f.wait();
  const trace_statistics is = t.statistics();
  CHECK(is.replayed == 2);
  // What the graph shows is the same.
  const std::string dot = t.dot();
  CAPTURE(dot);
  CHECK(count(dot, "tooltip") == is.launches);
  CHECK(count(dot, " -> ") - count(dot, "label=\"fold\"") == is.edges);
  return {is.edges, is.redundant};
}

template<class Body>
what_is_kept kept(Body&& body) {
  setting s;
  trace t;
  return kept(s, t, [&] { body(s); });
}

constexpr auto one = [](auto&) {};
constexpr auto two = [](auto&, auto&) {};
constexpr auto three = [](auto&, auto&, auto&) {};

} // namespace

TEST_CASE("of a chain of writes each launch comes after the one before") {
  CHECK(kept([](setting& s) {
    for(int i = 0; i != 3; ++i)
      s.f.submit(one, write(s.ra));
  }) == what_is_kept{3, 3});
}

TEST_CASE("readers come after the writer, and the writer after all of them") {
  // w, r1, r2, W: w after W of the pass before, r1 and r2 after w, W after r1 and r2.
  CHECK(kept([](setting& s) {
    s.f.submit(one, write(s.ra));
    s.f.submit(one, read(s.ra));
    s.f.submit(one, read(s.ra));
    s.f.submit(one, write(s.ra));
  }) == what_is_kept{5, 4});
}

TEST_CASE("what two reads have in common is waited for once") {
  // The third one reads what the first one has written, which comes before the second one.
  CHECK(kept([](setting& s) {
    s.f.submit(one, write(s.ra));
    s.f.submit(two, read(s.ra), write(s.rb));
    s.f.submit(three, read(s.ra), read(s.rb), write(s.rc));
  }) == what_is_kept{3, 6});
}

TEST_CASE("launches that have nothing in common but their passes come after themselves") {
  CHECK(kept([](setting& s) {
    s.f.submit(one, write(s.ra));
    s.f.submit(one, write(s.rb));
    s.f.submit(one, read(s.rc));
  }) == what_is_kept{3, 0});
}

TEST_CASE("a launch without regions comes after nothing") {
  CHECK(kept([](setting& s) {
    s.f.submit([] {});
    s.f.submit([] {});
  }) == what_is_kept{0, 0});
}

TEST_CASE("launches that commute come after the same, and not after each other") {
  CHECK(kept([](setting& s) {
    s.f.submit(one, commute(s.ra));
    s.f.submit(one, commute(s.ra));
    s.f.submit(one, write(s.ra));
  }) == what_is_kept{4, 3});
}

TEST_CASE("launches that write parts come after the same, and not after each other") {
  CHECK(kept([](setting& s) {
    s.f.submit(one, write_part(s.ra));
    s.f.submit(one, write_part(s.ra));
    s.f.submit(one, write(s.ra));
  }) == what_is_kept{4, 3});
}

TEST_CASE("folds come after each other, and the bodies of reductions after nothing else") {
  // Each body after its own of the pass before; the first fold after the reader of the pass before,
  // the second one after the first one, the reader after the second one.
  CHECK(kept([](setting& s) {
    s.f.submit(one, reduce(s.ra));
    s.f.submit(one, reduce(s.ra));
    s.f.submit(one, read(s.ra));
  }) == what_is_kept{5, 3});
}

TEST_CASE("the graph of a trace has its launches and what they come after") {
  setting s;
  trace t;
  (void)kept(s, t, [&] {
    s.f.submit(named("clear", one), write(s.ra));
    s.f.submit(named("add \"quoted\"", two), read(s.ra), reduce(s.rb));
  });
  const std::string dot = t.dot();
  CAPTURE(dot);
  CHECK_THAT(dot, Catch::Matchers::StartsWith("digraph trace {\n"));
  CHECK_THAT(dot, Catch::Matchers::EndsWith("}\n"));
  CHECK_THAT(dot,
    Contains("t0 [label=\"clear(a write)\", tooltip=\"") && Contains("trace_template_tests.cpp:"));
  CHECK_THAT(dot, Contains("t1 [label=\"add \\\"quoted\\\"(a read, b reduce)\""));
  CHECK_THAT(dot, Contains("  t0 -> t1;\n"));            // the value
  CHECK_THAT(dot, Contains("  t1 -> t0 [style=dashed")); // the next pass writes it again
  CHECK_THAT(dot, Contains("  t1 -> f1;\n"));
}

TEST_CASE("a graph is that of the template used last") {
  setting s;
  trace t;
  const auto pass = [&](bool is_long) {
    const auto guard = t.make_guard(s.f);
    s.f.submit(named("first", one), write(s.ra));
    if(is_long)
      s.f.submit(named("second", one), write(s.ra));
    s.f.submit(named("third", one), read(s.ra));
  };
  for(const bool is_long : {false, true, false, true, false}) {
    pass(is_long);
    CHECK(t.statistics().launches == (is_long ? 3 : 2));
    CHECK(count(t.dot(), "second") == (is_long ? 1 : 0));
  }
  s.f.wait();
}

TEST_CASE("where many wait for many others they do so through joins") {
  // Each reader comes after all that commute, and each of these after all readers of the pass before. A join
  // behind each of the two groups has an edge from each of the group, and each of the other one has one from it.
  setting s;
  trace t(s.f, "crowd");
  constexpr std::uint64_t crowd = 100;
  CHECK(kept(s, t, [&] {
    for(std::uint64_t i = 0; i != crowd; ++i)
      s.f.submit(one, commute(s.ra));
    for(std::uint64_t i = 0; i != crowd; ++i)
      s.f.submit(one, read(s.ra));
  }) == what_is_kept{4 * crowd, 2 * crowd + 2}); // each also comes after itself
  CHECK(t.statistics().launches == 2 * crowd);
  CHECK(count(t.dot(), "shape=point") == 2);
  CHECK_THAT(
    t.text(), Contains("a template of 200 launches: 400 edges") && Contains("; 2 joins; "));
}

TEST_CASE("there are no joins where few wait, or few are waited for") {
  setting s;
  trace t(s.f);
  kept(s, t, [&] {
    for(int i = 0; i != 200; ++i)
      s.f.submit(one, read(s.ra));
    for(int i = 0; i != 3; ++i)
      s.f.submit(one, write(s.ra));
    for(int i = 0; i != 6; ++i)
      s.f.submit(one, read(s.rb));
    for(int i = 0; i != 6; ++i)
      s.f.submit(one, commute(s.rb));
  });
  CHECK(count(t.dot(), "shape=point") == 0);
}

TEST_CASE("many readers of one region are not too many") {
  executor ex(2);
  flow f(ex);
  long value = 0;
  std::atomic<long> reads{0};
  region r(f, value);
  trace t(f);
  constexpr int readers = 2000;
  for(int pass = 0; pass != 3; ++pass) {
    const auto guard = t.make_guard();
    for(int i = 0; i != readers; ++i)
      f.submit([&reads](const long& x) { reads += x; }, read(r));
    f.submit([](long& x) { ++x; }, write(r));
  }
  f.wait();
  CHECK(reads == readers * (0 + 1 + 2));
  CHECK(t.statistics().replayed == 2);
}
