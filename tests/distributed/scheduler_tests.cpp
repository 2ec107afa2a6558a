// Programs of tasks over fields, on ranks that are threads of this process.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/transports.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

/// Runs the program on n ranks with so many workers each; 0: a different number on each.
void on_ranks(unsigned n, unsigned workers, const std::function<void(scheduler&)>& program) {
  auto transports = make_local_transports(n);
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> failures(n);
  for(unsigned r = 0; r != n; ++r)
    threads.emplace_back([&, r] {
      try {
        executor ex({.workers = workers != 0 ? workers : 1 + r, .shares_cores = true});
        scheduler s(ex, *transports[r]);
        ex.run([&] {
          program(s);
          s.wait();
        });
        transports[r]->meet();
      }
      catch(...) {
        failures[r] = std::current_exception();
      }
    });
  for(auto& t : threads)
    t.join();
  for(const auto& f : failures)
    if(f != nullptr)
      std::rethrow_exception(f);
}

using grid = structured<2>;
using numbers = field<double>;

void init(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>((7 * i + 13 * j) % 101);
}
void smooth(grid::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      const bool is_inner = i > 0 && j > 0 && i + 1 < m.mesh().hi[0] && j + 1 < m.mesh().hi[1];
      to(i, j) = is_inner ? (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1)) / 4
                          : from(i, j);
    }
}
void relax(grid::view m, numbers::accessor<rw, ro> u, int parity) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      if((i + j + parity) % 2 == 0)
        u(i, j) = (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1)) / 4;
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}
void scale(grid::view m, numbers::accessor<rw> u, double by) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) *= by;
}
double rim(grid::view m, numbers::accessor<ro, ro> u) {
  double all = 0;
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      all += u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
  return all;
}
double least(grid::view m, numbers::accessor<ro> u) {
  double one = u(m.owned(0).first(), m.owned(1).first());
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      one = std::min(one, u(i, j));
  return one;
}
void note(double x, std::vector<double>* into) { into->push_back(x); }
void note_future(future<double> x, std::vector<double>* into) { into->push_back(x.get()); }

struct whole {
  std::int64_t nx;
  std::int64_t ny;
  std::vector<double> u;
  double& operator()(std::int64_t i, std::int64_t j) {
    return u[static_cast<std::size_t>(j * nx + i)];
  }
  whole(std::int64_t x, std::int64_t y) : nx(x), ny(y), u(static_cast<std::size_t>(x * y)) {
    for(std::int64_t j = 0; j != ny; ++j)
      for(std::int64_t i = 0; i != nx; ++i)
        (*this)(i, j) = static_cast<double>((7 * i + 13 * j) % 101);
  }
  void relax(int parity) {
    for(std::int64_t j = 1; j + 1 < ny; ++j)
      for(std::int64_t i = 1; i + 1 < nx; ++i)
        if((i + j + parity) % 2 == 0)
          (*this)(i, j) =
            ((*this)(i - 1, j) + (*this)(i + 1, j) + (*this)(i, j - 1) + (*this)(i, j + 1)) / 4;
  }
};

/// Every value of a field against the same computed without any of this.
std::atomic<long> differences{0};
whole* expected = nullptr;
void compare(grid::view m, numbers::accessor<ro> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      differences += u(i, j) != (*expected)(i, j) ? 1 : 0;
}

} // namespace

TEST_CASE("sweeps over a mesh have the result of one loop, on any ranks and colors") {
  whole alone(37, 29);
  for(int k = 0; k != 20; ++k) {
    alone.relax(0);
    alone.relax(1);
  }
  expected = &alone;
  differences = 0;
  for(const unsigned ranks : {1U, 2U, 3U, 5U})
    for(const unsigned workers : {1U, 2U})
      for(const point<2> colors : {point<2>{5, 1}, point<2>{1, 5}, point<2>{3, 4}}) {
        CAPTURE(ranks, workers, colors[0], colors[1]);
        on_ranks(ranks, workers, [&](scheduler& s) {
          grid m{s, {.extents = {37, 29}, .colors = colors}};
          numbers u{m, "u"};
          s.execute<init>(m, u);
          for(int k = 0; k != 20; ++k) {
            s.execute<relax>(m, u, 0);
            s.execute<relax>(m, u, 1);
          }
          s.execute<compare>(m, u);
        });
        CHECK(differences == 0);
      }
}

TEST_CASE("what is written from ghosts of another field is the same on any ranks and colors") {
  whole alone(20, 31);
  for(int k = 0; k != 12; ++k) {
    whole next = alone;
    for(std::int64_t j = 1; j + 1 < alone.ny; ++j)
      for(std::int64_t i = 1; i + 1 < alone.nx; ++i)
        next(i, j) = (alone(i - 1, j) + alone(i + 1, j) + alone(i, j - 1) + alone(i, j + 1)) / 4;
    alone = next;
  }
  expected = &alone;
  differences = 0;
  for(const unsigned ranks : {1U, 2U, 4U})
    for(const unsigned workers : {1U, 2U})
      on_ranks(ranks, workers, [&](scheduler& s) {
        grid m{s, {.extents = {20, 31}, .colors = {3, 4}}};
        numbers u{m, "u"};
        numbers v{m, "v"};
        s.execute<init>(m, u);
        for(int k = 0; k != 6; ++k) {
          s.execute<smooth>(m, v, u);
          s.execute<smooth>(m, u, v);
        }
        s.execute<compare>(m, u);
      });
  CHECK(differences == 0);
}

TEST_CASE("loops are traced, repeated and found with the same result") {
  whole alone(24, 24);
  for(int k = 0; k != 60; ++k) {
    alone.relax(0);
    alone.relax(1);
  }
  expected = &alone;
  differences = 0;
  for(const unsigned ranks : {1U, 2U, 4U})
    for(const unsigned workers : {1U, 2U}) {
      CAPTURE(ranks, workers);
      on_ranks(ranks, workers, [&](scheduler& s) {
        grid m{s, {.extents = {24, 24}, .colors = {2, 3}}};
        numbers u{m, "u"};
        const auto sweep = [&] {
          s.execute<relax>(m, u, 0);
          s.execute<relax>(m, u, 1);
        };
        s.execute<init>(m, u);
        trace t;
        for(int k = 0; k != 20; ++k) {
          const auto g = t.make_guard();
          sweep();
        }
        s.repeat(20, sweep);
        for(int k = 0; k != 20; ++k)
          sweep();
        s.execute<compare>(m, u);
      });
      CHECK(differences == 0);
    }
}

TEST_CASE("a reduction has the same bits on any number of ranks and workers") {
  double first = 0;
  for(const unsigned ranks : {1U, 2U, 3U, 6U, 7U})
    for(const unsigned workers : {1U, 3U}) {
      std::vector<double> seen(ranks);
      on_ranks(ranks, workers, [&](scheduler& s) {
        grid m{s, {.extents = {40, 40}, .colors = {4, 4}}};
        numbers u{m, "u"};
        s.execute<init>(m, u);
        s.execute<scale>(m, u, 0.1);
        s.execute<relax>(m, u, 0);
        seen[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
      });
      if(first == 0)
        first = seen[0];
      for(const double x : seen)
        CHECK(x == first);
    }
  CHECK(first == Approx(0.1 * 50 * 1600).epsilon(0.05));
}

TEST_CASE("results of reductions go into tasks, and tasks without a topology run on rank 0") {
  for(const unsigned ranks : {1U, 3U}) {
    std::vector<double> seen;
    on_ranks(ranks, 2, [&](scheduler& s) {
      grid m{s, {.extents = {12, 12}, .colors = {2, 2}}};
      numbers u{m, "u"};
      s.execute<init>(m, u);
      for(int i = 0; i != 5; ++i) {
        const future<double> total = s.reduce<sum, fold::sum>(m, u);
        s.execute<note>(total, &seen);
        s.execute<scale>(m, u, total.then([](double x) { return 1000 / x; }));
      }
      s.execute<note>(1.5, &seen);
    });
    REQUIRE(seen.size() == 6);
    for(std::size_t i = 1; i != 5; ++i)
      CHECK(seen[i] == Approx(1000));
    CHECK(seen[5] == 1.5);
  }
}

TEST_CASE("a loop ends on a tolerance in the same pass on all ranks, and nobody waits for it") {
  for(const unsigned ranks : {1U, 2U, 4U})
    for(const unsigned workers : {1U, 2U}) {
      std::vector<std::uint64_t> passes(ranks);
      std::vector<double> after(ranks);
      on_ranks(ranks, workers, [&](scheduler& s) {
        grid m{s, {.extents = {16, 16}, .colors = {2, 2}}};
        numbers u{m, "u"};
        s.execute<init>(m, u);
        const auto n = s.iterate({.max = 1000}, [&] {
          s.execute<scale>(m, u, 0.5);
          const auto total = s.reduce<sum, fold::sum>(m, u);
          return total.then([](double x) { return x < 1; });
        });
        // What comes after the loop sees what its last pass has left.
        s.execute<relax>(m, u, 0);
        s.execute<scale>(m, u, 2.0);
        after[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
        passes[s.rank()] = n.get();
      });
      for(const auto n : passes)
        CHECK(n == passes[0]);
      CHECK(passes[0] == 14);
      for(const double x : after)
        CHECK(x == after[0]);
      CHECK(after[0] < 2);
    }
}

TEST_CASE("ranks that launch further ahead than others in a loop still agree after it") {
  constexpr unsigned ranks = 3;
  for(const std::uint64_t late : {3U, 5U, 30U}) {
    CAPTURE(late);
    std::vector<double> after(ranks), rims(ranks);
    std::vector<std::uint64_t> passes(ranks);
    on_ranks(ranks, 2, [&](scheduler& s) {
      grid m{s, {.extents = {16, 16}, .colors = {2, 2}}};
      numbers u{m, "u"}, v{m, "v"};
      s.execute<init>(m, u);
      s.execute<init>(m, v);
      rims[s.rank()] = s.reduce<rim, fold::sum>(m, v).get();
      // Only rank 0 comes to this pass, if the loop ends before.
      const future<std::uint64_t> n =
        s.iterate({.max = s.rank() == 0 ? 40U : 7U}, [&](std::uint64_t pass) {
          s.execute<scale>(m, u, 0.5);
          if(pass == late) {
            s.execute<init>(m, v);
            s.execute<relax>(m, v, 0);
            (void)s.reduce<least, fold::min>(m, u);
          }
          return s.reduce<sum, fold::sum>(m, u).then([](double x) { return x < 500; });
        });
      passes[s.rank()] = n.get();
      rims[s.rank()] = s.reduce<rim, fold::sum>(m, v).get();
      after[s.rank()] = s.reduce<least, fold::min>(m, v).get();
    });
    for(unsigned r = 0; r != ranks; ++r) {
      CHECK(passes[r] == 5);
      CHECK(rims[r] == rims[0]);
      CHECK(after[r] == after[0]);
    }
  }
}

TEST_CASE("a task on rank 0 may take a future as such") {
  for(const unsigned ranks : {1U, 2U}) {
    std::vector<double> seen;
    on_ranks(ranks, 1, [&](scheduler& s) {
      grid m{s, {.extents = {8, 8}, .colors = {2, 1}}};
      numbers u{m, "u"};
      s.execute<init>(m, u);
      s.execute<note_future>(s.reduce<sum, fold::sum>(m, u), &seen);
    });
    REQUIRE(seen.size() == 1);
    CHECK(seen[0] > 0);
  }
}

TEST_CASE("ranks with different numbers of workers cut a mesh into the same colors") {
  std::vector<point<2>> colors(3);
  on_ranks(3, 0, [&](scheduler& s) {
    grid m{s, {.extents = {700, 700}}};
    numbers u{m, "u"};
    s.execute<init>(m, u);
    s.execute<relax>(m, u, 0);
    colors[s.rank()] = m.coloring().shape().colors;
  });
  CHECK(colors[0] == colors[1]);
  CHECK(colors[0] == colors[2]);
}

namespace {
double twice(double x) { return 2 * x; }
double value_of(grid::view, const char* letters, const std::string& text, const double* two,
  double (*change)(double)) {
  return letters[4] + static_cast<double>(text.size()) + change(two[1]);
}
} // namespace

TEST_CASE("arrays, literals and functions are arguments of tasks over meshes") {
  for(const std::size_t stages : {1U, 4U}) // launched at once, and kept for a while
    on_ranks(2, 2, [stages](scheduler& s) {
      grid m{s, {.extents = {8, 8}, .colors = {2, 2}, .stages = stages}};
      const double two[] = {1, 20};
      for(int i = 0; i != 10; ++i)
        if(s.reduce<value_of, fold::sum>(m, "hello", "text", two, twice).get() !=
           4 * ('o' + 4 + 40))
          throw std::logic_error("not as expected");
    });
}

TEST_CASE("a field of another topology is refused with the place of the launch") {
  on_ranks(1, 1, [](scheduler& s) {
    grid a{s, {.extents = {8, 8}}};
    grid b{s, {.extents = {8, 8}}};
    numbers u{b, "u"};
    CHECK_THROWS_WITH(s.execute<init>(a, u), Catch::Contains("'u' belongs to another topology") &&
                                               Catch::Contains("scheduler_tests.cpp:"));
  });
}

TEST_CASE("tasks have the names that they have in the program") {
  CHECK(std::string(detail::name_of_task<relax>).find("relax") != std::string::npos);
  CHECK(std::string(detail::name_of_task<relax>).find('&') == std::string::npos);
}
