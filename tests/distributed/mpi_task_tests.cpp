// Tasks that would call MPI, on ranks that are threads: what is fenced, and what is refused. With MPI
// itself: mpi/mpi_tasks.cpp.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

void add_neighbours(line::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto i : m.owned(0))
    to(i) = from(i - 1) + from(i + 1);
}
void set(line::view m, numbers::accessor<wo> u, double to) {
  for(const auto i : m.owned(0))
    u(i) = to;
}
double sum(line::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}

/// What this rank has, and how many of its ghosts are right.
double look(
  mpi_task t, per_color<line::view> m, per_color<numbers::accessor<ro, ro>> u, double expected) {
  expect(t.rank() < t.ranks());
  expect(m.size() == u.size());
  double wrong = 0;
  for(std::size_t c = 0; c != m.size(); ++c)
    for(auto i = m[c].owned(0).first() - 1; i <= m[c].owned(0).last(); ++i)
      wrong += u[c](i) != expected ? 1 : 0;
  return wrong;
}
void add_one(mpi_task, per_color<line::view> m, per_color<numbers::accessor<rw>> u) {
  for(std::size_t c = 0; c != m.size(); ++c)
    for(const auto i : m[c].owned(0))
      u[c](i) += 1;
}
void double_it(mpi_task, topo::global::view g, numbers::accessor<rw> x, double y) {
  for(std::int64_t i = 0; i != g.size(); ++i)
    x(i) = 2 * x(i) + y;
}
void one_color(mpi_task, line::view) {}
void one_accessor(mpi_task, numbers::accessor<ro>) {}
void set_global(numbers::accessor<wo> x, double to) { x() = to; }
double of_global(numbers::accessor<ro> x) { return x(); }
std::size_t length(mpi_task, std::string text) { return text.size(); }
double half(mpi_task, double x) { return x / 2; }
unsigned rank_of(mpi_task t) { return t.rank(); }
void fail(mpi_task) { throw std::runtime_error("the library has failed"); }
void use_mpi(void* /*comm*/) {}

const structured_options<1> ring{.extents = {24}, .colors = {6}, .periodic = {true}};

long count_sending(mpi_task, const std::vector<transport*>* all) {
  long n = 0;
  for(const transport* const t : *all)
    n += t->is_sending() ? 1 : 0;
  return n;
}
void do_nothing() {}
scheduler* launcher = nullptr;
void launch_more(mpi_task) { launcher->execute<do_nothing>(); }
void launch_mpi(mpi_task) { launcher->execute_mpi<rank_of>(); }

std::vector<std::unique_ptr<transport>> slow_transports(unsigned ranks) {
  auto all = make_local_transports(ranks);
  for(auto& t : all)
    t = make_delayed(std::move(t),
      {.latency = std::chrono::microseconds(200), .jitter = std::chrono::microseconds(300)});
  return all;
}

} // namespace

TEST_CASE("a task for MPI sees what was launched before, and what is launched later sees it") {
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const unsigned workers : {1U, 2U})
      for(const bool is_slow : {false, true}) {
        CAPTURE(ranks, workers, is_slow);
        std::vector<double> wrong(ranks), total(ranks);
        on_ranks(is_slow ? slow_transports(ranks) : make_local_transports(ranks), workers,
          [&](scheduler& s) {
            line m{s, ring};
            numbers u{m, "u"}, v{m, "v"};
            s.execute<set>(m, u, 1.0);
            double expected = 1;
            trace t;
            for(int k = 0; k != 10; ++k) {
              const auto guard = t.make_guard();
              s.execute<add_neighbours>(m, v, u);
              s.execute<add_neighbours>(m, u, v);
              expected *= 4;
              wrong[s.rank()] += s.execute_mpi<look>(m, u, expected);
              s.execute_mpi<add_one>(m, u);
              expected += 1;
            }
            wrong[s.rank()] += s.execute_mpi<look>(m, u, expected);
            total[s.rank()] = s.reduce<sum, fold::sum>(m, u).get() / expected;
          });
        for(unsigned r = 0; r != ranks; ++r) {
          CHECK(wrong[r] == 0);
          CHECK(total[r] == 24);
        }
      }
}

TEST_CASE("no message of any rank is under way while a task for MPI runs") {
  constexpr unsigned ranks = 3;
  std::atomic<long> under_way{0};
  auto transports = slow_transports(ranks);
  std::vector<transport*> all;
  for(const auto& t : transports)
    all.push_back(t.get());
  on_ranks(std::move(transports), 2, [&](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"}, v{m, "v"};
    for(int k = 0; k != 10; ++k) {
      for(int i = 0; i != 3; ++i) {
        s.execute<add_neighbours>(m, v, u);
        s.execute<add_neighbours>(m, u, v);
      }
      static_cast<void>(s.reduce<sum, fold::sum>(m, u));
      under_way += s.execute_mpi<count_sending>(&all);
      // Nobody launches anything before all have looked.
      s.execute_mpi<rank_of>();
    }
  });
  CHECK(under_way == 0);
}

TEST_CASE("a task for MPI takes values, futures and global fields, and returns its result") {
  for(const unsigned ranks : {1U, 2U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      expect(s.execute_mpi<rank_of>() == s.rank());
      expect(s.execute_mpi<length>("four") == 4);
      expect(s.execute_mpi<half>(3) == 1.5);
      topo::global g{s};
      numbers x{g, "x"};
      s.execute<set_global>(x, 3.0);
      expect(s.execute_mpi<half>(s.reduce<of_global, fold::sum>(x)) == 1.5);
      s.execute_mpi<double_it>(g, x, s.reduce<of_global, fold::sum>(x));
      expect(s.reduce<of_global, fold::sum>(x).get() == 9);
    });
}

TEST_CASE(
  "a task for MPI is refused where nobody can wait, and with the colors of a mesh one by one") {
  on_ranks(make_local_transports(1), 2, [](scheduler& s) {
    line m{s, ring};
    numbers u{m, "u"};
    const auto in_a_loop = Catch::Contains("take a plain loop");
    CHECK_THROWS_WITH(s.repeat(3, [&] { s.execute_mpi<rank_of>(); }), in_a_loop);
    CHECK_THROWS_WITH(s.iterate({.max = 3},
                        [&]() -> future<bool> {
                          s.execute_mpi<rank_of>();
                          return {};
                        }),
      in_a_loop);
    CHECK_THROWS_WITH(s.execute_mpi<one_color>(m),
      Catch::Contains("per_color") && Catch::Contains("mpi_task_tests.cpp:"));
    CHECK_THROWS_WITH(s.execute_mpi<one_accessor>(u), Catch::Contains("per_color"));
    launcher = &s;
    CHECK_THROWS_WITH(s.execute_mpi<launch_more>(), Catch::Contains("nothing else may run"));
    CHECK_THROWS_WITH(s.execute_mpi<launch_mpi>(), Catch::Contains("nothing else may run"));
    CHECK_THROWS_WITH(s.execute_mpi<fail>(), "the library has failed");
    CHECK(s.execute_mpi<rank_of>() == 0);
    s.execute<do_nothing>();
  });
}

TEST_CASE("ranks that are threads have no MPI") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    const std::string what = thrown_by([&] { s.execute_mpi<use_mpi>(); });
    expect(what.find("wants to call MPI, but the transport local has none") != what.npos);
  });
}
