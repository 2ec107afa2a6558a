// Loops whose passes differ, on ranks that launch more or fewer passes after the last one that runs.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "plain_line.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using plain_line::line;
using plain_line::numbers;
using plain_line::sum;

void set(line::view m, numbers::accessor<wo> u, double to) {
  for(const auto i : m.owned(0))
    u(i) = to + static_cast<double>(i);
}
void raise(line::view m, numbers::accessor<rw> u, double by) {
  for(const auto i : m.owned(0))
    u(i) += by;
}
void shift(line::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto i : m.owned(0))
    to(i) = from(i - 1);
}
double greatest(line::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all = std::max(all, u(i));
  return all;
}

/// Needs ghosts that are copies.
void smooth(line::view m, numbers::accessor<rw, ro> u) {
  double left = u(m.owned(0).first() - 1);
  for(const auto i : m.owned(0)) {
    const double before = u(i);
    u(i) = (left + 2 * before + u(i + 1)) / 4;
    left = before;
  }
}

constexpr unsigned ranks = 2;

/// A loop that ends after its first pass. Rank 0 gives no answer before it has launched `passes_ahead`
/// passes; rank 1 answers at once, and gives that time to become known.
template<class Pass>
void end_early(scheduler& s, std::uint64_t passes_ahead, const Pass& pass) {
  std::vector<promise<bool>> answers;
  std::uint64_t launched = 0;
  const auto n = s.iterate({.max = 20}, [&](std::uint64_t p) {
    pass(p);
    launched = p + 1;
    answers.emplace_back();
    const future<bool> answer = answers.back().get_future();
    if(s.rank() != 0) {
      answers.back().set_value(true);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    else if(launched == passes_ahead)
      for(auto& known : answers)
        known.set_value(true);
    else if(launched > passes_ahead)
      answers.back().set_value(true);
    return answer;
  });
  expect(n.get() == 1);
  expect(s.rank() != 0 || launched >= passes_ahead);
}

} // namespace

TEST_CASE("what a pass that does not run would have written is not fetched after the loop") {
  std::vector<double> seen(ranks);
  on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
    line m{s, {.extents = {12}, .colors = {4}, .periodic = {true}}};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.execute<set>(m, u, 1.0);
    s.execute<shift>(m, v, u); // fresh
    end_early(s, 8, [&](std::uint64_t pass) {
      if(pass == 3)
        s.execute<set>(m, u, 2.0);
    });
    s.execute<shift>(m, v, u);
    seen[s.rank()] = s.reduce<sum, fold::sum>(m, v).get();
  });
  for(const double x : seen)
    CHECK(x == 12 * 1 + 66);
}

TEST_CASE("reductions and ghosts that only passes that do not run would have used are used later") {
  std::vector<double> seen(ranks);
  on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
    line m{s, {.extents = {12}, .colors = {4}, .periodic = {true}}};
    numbers u{m, "u"};
    numbers v{m, "v"};
    numbers w{m, "w"};
    s.execute<set>(m, u, 1.0);
    s.execute<set>(m, v, 1.0);
    // A kind of reduction that is new asks whether its pass runs, so pass 3 comes after the answer.
    end_early(s, 3, [&](std::uint64_t pass) {
      if(pass == 2)
        s.execute<shift>(m, w, u);
      if(pass == 3)
        static_cast<void>(s.reduce<greatest, fold::max>(m, u));
    });
    s.execute<shift>(m, w, v);
    s.execute<shift>(m, v, w);
    seen[s.rank()] =
      s.reduce<sum, fold::sum>(m, v).get() + s.reduce<greatest, fold::max>(m, v).get();
  });
  for(const double x : seen)
    CHECK(x == 12 * 1 + 66 + 12);
}

TEST_CASE(
  "a launch that needs copies, and comes only in passes in vain, leaves ranks in agreement") {
  for(const bool is_used_before : {false, true}) {
    std::vector<double> sums(ranks);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      line m{s, {.extents = {16}, .colors = {4}, .periodic = {true}}};
      numbers u{m, "u"}, v{m, "v"};
      s.execute<set>(m, u, 0.0);
      if(is_used_before)
        s.execute<shift>(m, v, u);
      end_early(s, 8, [&](std::uint64_t pass) {
        if(pass >= 3)
          s.execute<smooth>(m, u);
      });
      for(int again = 0; again != 3; ++again) {
        s.execute<shift>(m, v, u); // fetches
        s.execute<smooth>(m, u);
        s.execute<shift>(m, v, u);
      }
      sums[s.rank()] = s.reduce<sum, fold::sum>(m, v).get();
      s.wait();
    });
    for(const double x : sums)
      CHECK(x == 120); // smoothing and shifting keep the sum
  }
}

TEST_CASE(
  "plain loops over a ring are found to repeat, also where both neighbours are the same color") {
  for(const unsigned ranks_of_ring : {1U, 2U})
    for(const std::int64_t colors : {1, 2, 3, 4}) {
      if(colors < ranks_of_ring)
        continue;
      CAPTURE(ranks_of_ring, colors);
      std::vector<std::uint64_t> passes(ranks_of_ring);
      on_ranks(make_local_transports(ranks_of_ring), 1, [&](scheduler& s) {
        line ring{s, {.extents = {12}, .colors = {colors}, .periodic = {true}}};
        numbers u{ring, "u"}, v{ring, "v"};
        s.execute<set>(ring, u, 1.0);
        for(int pass = 0; pass != 200; ++pass) {
          s.execute<shift>(ring, v, u);
          s.execute<smooth>(ring, v);
          s.execute<shift>(ring, u, v);
        }
        s.wait();
        passes[s.rank()] = s.launches().repeats().passes;
      });
      for(const std::uint64_t found : passes)
        CHECK(found > 100);
    }
}

TEST_CASE(
  "passes of an inner loop that don't run leave nothing to the rank that has launched them") {
  std::vector<double> sums(ranks);
  on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
    // Launches of a pass are gathered: the inner loop comes while some are kept back.
    line m{s, {.extents = {12}, .colors = {4}, .periodic = {true}, .stages = 4}};
    numbers u{m, "u"}, v{m, "v"}, w{m, "w"};
    s.execute<set>(m, w, 0.0);
    const auto pass = [&](double number) {
      s.execute<set>(m, u, number);
      s.execute<shift>(m, v, u);
      end_early(s, 8, [&](std::uint64_t inner) {
        s.execute<shift>(m, w, v);
        if(inner == 3) {
          s.execute<set>(m, u, -1.0);
          s.execute<smooth>(m, w); // its colors are moved apart, on rank 0 only
        }
      });
      s.execute<shift>(m, v, w);
      s.execute<shift>(m, w, u);
    };
    s.iterate({.max = 3}, [&](std::uint64_t outer) {
      pass(double(outer));
      return make_ready(false);
    });
    for(int i = 0; i != 2; ++i)
      pass(3);
    s.execute<shift>(m, u, v);
    sums[s.rank()] = s.reduce<sum, fold::sum>(m, u).get() + s.reduce<sum, fold::sum>(m, w).get();
  });
  for(const double x : sums)
    CHECK(x == 2 * (12 * 3 + 66));
}

TEST_CASE("loops nest, and conditions in them") {
  for(const unsigned n : {1U, 3U}) {
    std::vector<double> sums(n);
    std::vector<std::uint64_t> passes(n);
    on_ranks(make_local_transports(n), 2, [&](scheduler& s) {
      line m{s, {.extents = {12}, .colors = {4}, .periodic = {true}}};
      numbers u{m, "u"}, v{m, "v"};
      trace outer{"outer"}, inner{"inner"};
      s.execute<set>(m, u, 0.0);
      passes[s.rank()] =
        s.iterate(outer, {},
           [&] {
             s.repeat(2, [&] {
               s.execute<shift>(m, v, u);
               // Twice around, and back where it was.
               s.iterate(inner, {.max = 12}, [&] {
                 s.execute<shift>(m, u, v);
                 s.execute<shift>(m, v, u);
                 return make_ready(false);
               });
               s.execute<shift>(m, u, v);
             });
             s.either(
               s.reduce<greatest, fold::max>(m, u).then([](double x) { return x < 100; }),
               [&] { s.execute<raise>(m, u, 30.0); }, [&] { s.execute<raise>(m, u, 1000.0); });
             return s.reduce<greatest, fold::max>(m, u).then([](double x) { return x > 1000; });
           })
          .get();
      sums[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
    });
    for(unsigned rank = 0; rank != n; ++rank) {
      CHECK(passes[rank] == 4);
      CHECK(sums[rank] == 12 * (3 * 30 + 1000) + 66);
    }
  }
}

TEST_CASE("a rank that knows early that a condition is not so launches fewer passes of a repeat in "
          "its body") {
  std::vector<int> calls(ranks);
  std::vector<double> sums(ranks);
  on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
    line m{s, {.extents = {12}, .colors = {4}, .periodic = {true}}};
    numbers u{m, "u"};
    s.execute<set>(m, u, 0.0);
    promise<bool> known;
    int& called = calls[s.rank()];
    s.when(known.get_future(), [&] {
      s.repeat(2, [&] {
        s.repeat(2, [&] { s.execute<raise>(m, u, 1.0); }); // a loop: so each pass is launched
        if(++called == (s.rank() == 0 ? 2 : 1))
          known.set_value(false);
        if(s.rank() == 1)
          expect(!s.launches().pass_runs());
      });
    });
    s.execute<raise>(m, u, 1.0);
    sums[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
  });
  CHECK(calls == std::vector<int>{2, 1});
  CHECK(sums == std::vector<double>{12 + 66, 12 + 66});
}

namespace {

/// Both bodies are launched before it is known which one runs.
template<class Then, class Else>
void launch_either(
  scheduler& s, line& m, numbers& u, bool is_so, const Then& then, const Else& otherwise) {
  s.either(
    s.reduce<greatest, fold::max>(m, u).then([is_so](double) { return is_so; }), then, otherwise);
}

} // namespace

TEST_CASE("the second body of either does not count on ghosts that the first would have fetched") {
  for(const bool is_so : {true, false}) {
    std::vector<double> seen(ranks);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      line m{s, {.extents = {12}, .colors = {4}, .periodic = {true}}};
      numbers u{m, "u"};
      numbers v{m, "v"};
      s.execute<set>(m, u, 1.0);
      s.execute<smooth>(m, u); // colors lie apart, and ghosts are old
      s.execute<set>(m, u, 100.0);
      launch_either(
        s, m, u, is_so, [&] { s.execute<shift>(m, v, u); },
        [&] {
          s.execute<shift>(m, v, u);
          s.execute<raise>(m, v, 1000.0);
        });
      seen[s.rank()] = s.reduce<sum, fold::sum>(m, v).get();
    });
    for(const double x : seen)
      CHECK(x == 12 * (is_so ? 100 : 1100) + 66);
  }
}

TEST_CASE("the second body of either moves colors apart if only the first has launched that") {
  for(const bool is_so : {true, false}) {
    std::vector<double> seen(ranks);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      line m{s, {.extents = {12}, .colors = {4}, .periodic = {true}}};
      numbers u{m, "u"};
      s.execute<set>(m, u, 0.0);
      launch_either(
        s, m, u, is_so, [&] { s.execute<smooth>(m, u); },
        [&] {
          s.execute<smooth>(m, u);
          s.execute<smooth>(m, u);
        });
      s.execute<smooth>(m, u);
      seen[s.rank()] = s.reduce<greatest, fold::max>(m, u).get();
    });
    // Sums of a smoothed ring stay; its greatest value falls by what one pass more takes of it.
    CHECK(seen[0] == seen[1]);
    CHECK(seen[0] == (is_so ? 9.25 : 8.8125));
  }
}
