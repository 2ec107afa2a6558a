// Failures on one rank. With more of them a failure ends the process: see mpi/failing_program.cpp.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "plain_line.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using plain_line::line;
using plain_line::numbers;
using plain_line::set;
using plain_line::sum;

void add_neighbours(line::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto i : m.owned(0))
    to(i) = from(i - 1) + from(i) + from(i + 1);
}
void fail_in(line::view m, numbers::accessor<rw> /*u*/, color_id color) {
  if(m.color() == color)
    throw std::runtime_error("color " + std::to_string(color));
}
void fail_everywhere(line::view m, numbers::accessor<rw> /*u*/) {
  throw std::runtime_error("color " + std::to_string(m.color()));
}
double no_sum(line::view m, numbers::accessor<ro> /*u*/) {
  throw std::runtime_error("no sum of color " + std::to_string(m.color()));
}
void note(double x, std::vector<double>* to) { to->push_back(x); }
void add_one(line::view m, numbers::accessor<rw> u) {
  for(const auto i : m.owned(0))
    u(i) += 1;
}

double square_of(std::int64_t i, std::int64_t n) {
  i = (i + n) % n;
  return static_cast<double>(i * i);
}
void set_squares(line::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = square_of(i, m.mesh().hi[0]);
}
/// How many of a ring's points are not the sums of three squares next to each other; the same for what
/// `smooth` makes of squares.
int wrong_sums(line::view m, numbers::accessor<ro> sums) {
  const std::int64_t n = m.mesh().hi[0];
  int wrong = 0;
  for(const auto i : m.owned(0))
    wrong += sums(i) != square_of(i - 1, n) + square_of(i, n) + square_of(i + 1, n) ? 1 : 0;
  return wrong;
}
int wrong_means(line::view m, numbers::accessor<ro> means) {
  const std::int64_t n = m.mesh().hi[0];
  int wrong = 0;
  for(const auto i : m.owned(0))
    wrong +=
      4 * means(i) != square_of(i - 1, n) + 2 * square_of(i, n) + square_of(i + 1, n) ? 1 : 0;
  return wrong;
}
void smooth(line::view m, numbers::accessor<rw, ro> u) {
  double left = u(m.owned(0).first() - 1);
  for(const auto i : m.owned(0)) {
    const double before = u(i);
    u(i) = (left + 2 * before + u(i + 1)) / 4;
    left = before;
  }
}

/// On one rank, with one worker and with more.
template<class F>
void alone(F&& program) {
  for(const unsigned workers : {1U, 2U, 3U}) {
    CAPTURE(workers);
    on_ranks(make_local_transports(1), workers, program);
  }
}

const structured_options<1> ring{.extents = {24}, .colors = {6}, .periodic = {true}};

/// All is as if nothing had failed before.
void check_all_works(scheduler& s, line& m, numbers& u, numbers& v) {
  s.execute<set>(m, u, 1.0);
  s.execute<add_neighbours>(m, v, u);
  s.execute<add_neighbours>(m, u, v);
  CHECK(s.reduce<sum, fold::sum>(m, u).get() == 24 * 9);
  s.wait();
}

} // namespace

TEST_CASE("wait throws what a task has thrown, and the program goes on") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    for(int round = 0; round != 3; ++round) {
      s.execute<set>(m, u, 1.0);
      s.execute<fail_in>(m, u, color_id{3});
      s.execute<add_neighbours>(m, v, u);
      const future<double> lost = s.reduce<sum, fold::sum>(m, v);
      CHECK_THROWS_WITH(s.wait(), "color 3");
      CHECK_THROWS(lost.get());
      CHECK_NOTHROW(s.wait());
      check_all_works(s, m, u, v);
    }
  });
}

TEST_CASE("ghosts that were to be fetched after a failure are fetched when they are read next") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.execute<set>(m, u, 1.0);
    s.execute<add_neighbours>(m, v, u);
    s.execute<set>(m, u, 2.0);
    s.wait();
    s.execute<fail_in>(m, v, color_id{0});
    s.execute<add_neighbours>(m, v, u); // and the ghosts of u before
    CHECK_THROWS_WITH(s.wait(), "color 0");
    s.execute<add_neighbours>(m, v, u);
    CHECK(s.reduce<sum, fold::sum>(m, v).get() == 24 * 6);
  });
}

TEST_CASE("a field whose colors were to move apart after a failure has moved, with what it had, "
          "when that is caught") {
  enum way { plainly, in_repeat, in_iterate, twice };
  const way how = GENERATE(plainly, in_repeat, in_iterate, twice);
  CAPTURE(how);
  alone([how](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.execute<set_squares>(m, u);
    s.execute<add_neighbours>(m, v, u);
    CHECK(u.state().is_together());
    s.wait();
    s.execute<fail_everywhere>(m, u);                   // so that nothing behind it runs
    const auto pass = [&] { s.execute<smooth>(m, u); }; // needs copies: first u is moved
    if(how == in_repeat)
      s.repeat(3, pass);
    else if(how == in_iterate)
      static_cast<void>(s.iterate({.max = 3}, [&] {
        pass();
        return make_ready(false);
      }));
    else
      pass();
    CHECK_THROWS_WITH(s.wait(), "color 0");
    if(how == twice) { // what is launched in place of the first moves is skipped, too
      s.execute<fail_everywhere>(m, u);
      pass();
      CHECK_THROWS_WITH(s.wait(), "color 0");
    }
    CHECK((!u.state().ghosts_are.is_apart || !u.state().is_together()));
    s.execute<add_neighbours>(m, v, u);
    CHECK(s.reduce<wrong_sums, fold::sum>(m, v).get() == 0);
    s.execute<smooth>(m, u); // right only if what it reads of others are copies
    CHECK(s.reduce<wrong_means, fold::sum>(m, u).get() == 0);
  });
}

TEST_CASE("the first failure in the order of the program counts") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    for(int round = 0; round != 20; ++round) {
      s.execute<fail_in>(m, u, color_id{5});
      s.execute<fail_in>(m, v, color_id{1});
      s.execute<fail_in>(m, u, color_id{0});
      CHECK_THROWS_WITH(s.wait(), "color 5");
    }
  });
}

TEST_CASE("a reduction whose task fails gives a future that throws, and works again later") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    const future<double> lost = s.reduce<no_sum, fold::sum>(m, u);
    CHECK_THROWS(lost.get());
    CHECK_THROWS_WITH(s.wait(), Catch::StartsWith("no sum of color"));
    check_all_works(s, m, u, v);
  });
}

TEST_CASE("a task that is given a failed future does not run") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    std::vector<double> seen;
    promise<double> p;
    s.execute<set>(m, u, p.get_future());
    p.set_exception(std::make_exception_ptr(std::runtime_error("nothing to set")));
    s.execute<note>(s.reduce<sum, fold::sum>(m, u), &seen);
    CHECK_THROWS_WITH(s.wait(), "nothing to set");
    CHECK(seen.empty());
    {
      promise<double> forgotten;
      s.execute<note>(forgotten.get_future(), &seen);
    }
    CHECK_THROWS(s.wait());
    CHECK(seen.empty());
    check_all_works(s, m, u, v);
  });
}

TEST_CASE("loops end at a failure, and what comes after works") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.repeat(100, [&] {
      s.execute<add_neighbours>(m, v, u);
      s.execute<fail_in>(m, v, color_id{2});
    });
    CHECK_THROWS_WITH(s.wait(), "color 2");
    check_all_works(s, m, u, v);
    const auto passes = s.iterate({.max = 1000}, [&](std::uint64_t pass) {
      s.execute<add_neighbours>(m, v, u);
      s.execute<fail_in>(m, v, color_id{pass == 7 ? 4U : 100U});
      return s.reduce<sum, fold::sum>(m, v).then([](double) { return false; });
    });
    CHECK_THROWS_WITH(s.wait(), "color 4");
    check_all_works(s, m, u, v);
  });
}

TEST_CASE("a body of a loop that throws leaves nothing behind") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.execute<set>(m, u, 2.0);
    CHECK_THROWS_WITH(s.repeat(10,
                        [&] {
                          s.execute<add_neighbours>(m, v, u);
                          throw std::runtime_error("never mind");
                        }),
      "never mind");
    s.execute<add_neighbours>(m, v, u);
    CHECK(s.reduce<sum, fold::sum>(m, v).get() == 24 * 6);
    CHECK_THROWS_WITH(s.iterate({.max = 10},
                        [&](std::uint64_t pass) -> future<bool> {
                          s.execute<set>(m, u, 3.0);
                          if(pass == 0)
                            throw std::runtime_error("never mind");
                          return {};
                        }),
      "never mind");
    s.execute<add_neighbours>(m, v, u);
    CHECK(s.reduce<sum, fold::sum>(m, v).get() == 24 * 9);
    check_all_works(s, m, u, v);
  });
}

TEST_CASE("fields and meshes end while launches that use them are under way, or have failed") {
  alone([](scheduler& s) {
    for(int round = 0; round != 30; ++round) {
      std::optional<line> m(std::in_place, s, ring);
      std::optional<numbers> u(std::in_place, *m, "u");
      std::optional<numbers> v(std::in_place, *m, "v");
      s.execute<set>(*m, *u, 1.0);
      if(round % 3 == 0)
        s.execute<fail_in>(*m, *u, color_id{2});
      s.repeat(5, [&] { s.execute<add_neighbours>(*m, *v, *u); });
      const future<double> all = s.reduce<sum, fold::sum>(*m, *v);
      u.reset();
      if(round % 2 == 0)
        s.execute<add_one>(*m, *v);
      v.reset();
      m.reset();
      if(round % 3 == 0) {
        CHECK_THROWS(all.get());
        CHECK_THROWS_WITH(s.wait(), "color 2");
      }
      else
        CHECK(all.get() == 24 * 3);
    }
  });
}

TEST_CASE("meshes and fields are not made in the body of a loop") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    const auto fails = Catch::Contains("make it before that");
    CHECK_THROWS_WITH(s.repeat(2, [&] { numbers w{m, "w"}; }), fails);
    CHECK_THROWS_WITH(s.repeat(2, [&] { line n{s, ring}; }), fails);
    CHECK_THROWS_WITH(s.iterate({.max = 2},
                        [&]() -> future<bool> {
                          numbers w{m, "w"};
                          return {};
                        }),
      fails);
    check_all_works(s, m, u, v);
  });
}

TEST_CASE("a field that is written is not given twice") {
  alone([](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    CHECK_THROWS_WITH(s.execute<add_neighbours>(m, u, u),
      Catch::Contains("'u'") && Catch::Contains("twice") && Catch::Contains("failure_tests.cpp:"));
    check_all_works(s, m, u, v);
  });
}

TEST_CASE("an executor has one scheduler at a time") {
  alone([](scheduler& s) {
    const auto other = make_local_transports(1);
    CHECK_THROWS_WITH(scheduler(s.home(), *other[0]),
      Catch::StartsWith("rondo::scheduler: this executor has a scheduler already") &&
        Catch::EndsWith("make an executor for each"));
    line m{s, ring};
    numbers u{m, "u"};
    numbers v{m, "v"};
    check_all_works(s, m, u, v);
  });
  executor ex({.workers = 2});
  const auto t = make_local_transports(1);
  ex.run([&] {
    for(int i = 0; i != 3; ++i) {
      scheduler s(ex, *t[0]);
      line m{s, ring};
      numbers u{m, "u"};
      numbers v{m, "v"};
      check_all_works(s, m, u, v);
    }
  });
}
