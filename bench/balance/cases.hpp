#pragma once

// Many short bodies and a long one: does the long one keep the others from running? The shapes are written
// once over a system S:
//
//   struct S {
//     explicit S(unsigned workers);
//     template<class F> void run(F f);                        // f() inside the runtime
//     template<class F, class G> static void join(F f, G g);  // g may be stolen
//     template<class F> static void join_n(int n, F f);       // f(0) ... f(n - 1)
//     template<class F> static void tasks(F f);               // f(spawn), then waits for all that was spawned
//     template<class F> static void loop(int n, F f);         // f(0) ... f(n - 1), a parallel loop
//   };
//
// A runtime that can't be driven this way (libfork's coroutines) brings its own shapes.

#include "balance/bodies.hpp"
#include "harness/case.hpp"
#include "harness/clock.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace bench::balance {

template<class S>
struct shapes {
  // n offers by nested joins, and then the long body in their owner.
  static void offers(int n, int us) {
    if(n == 0)
      long_body(us);
    else
      S::join([n, us] { offers(n - 1, us); }, [] { short_body(); });
  }
  // The same with some work on the way down, and longer bodies to take.
  static void far_offers(int n, int us) {
    if(n == 0)
      long_body(us);
    else
      S::join(
        [n, us] {
          nap(far_offers_gap_us);
          far_offers(n - 1, us);
        },
        [] { short_body(far_offer_us); });
  }
  static void right_deep(int n) {
    if(n != 0)
      S::join([] { short_body(leaf_us); }, [n] { right_deep(n - 1); });
  }
  static void left_deep(int n) {
    if(n != 0)
      S::join([n] { left_deep(n - 1); }, [] { short_body(leaf_us); });
  }
  static void many(int n) {
    S::join_n(n, [](int) { short_body(); });
  }
  static void many_and_one(int n, int at) {
    S::join_n(n + 1, [at](int i) { i == at ? long_body(long_us) : short_body(); });
  }
};

// Runs `shape` in a system, which has run something before, and counts the bodies.
template<class D, class F>
figures measure(const context& c, int shorts, int longs, F shape) {
  D d(c.workers);
  d.run([] { shapes<D>::many(64); });
  const int n = c.quick ? shorts / 10 : shorts;
  std::vector<double> times;
  for(int i = 0; i != (c.quick ? 1 : 3); ++i) {
    begin_counting();
    times.push_back(time_of([&] { d.run([&] { shape(n); }); }));
    check(
      short_bodies() == n && long_bodies() == longs, "balance: a body was left out, or ran twice");
  }
  return {{"time", "ms", median(times) * 1e-6}};
}

inline const std::vector<unsigned> few_and_more = {2, 4};

template<class S>
bool add_system(const std::string& system, role who) {
  using shape = shapes<S>;
  const auto add_shape = [&](const char* name, int shorts, int longs, auto run) {
    return add({name, system, who, few_and_more,
      [=](const context& c) { return measure<S>(c, shorts, longs, run); }});
  };
  bool added = add_shape("left deep", 200, 0, [](int n) { shape::left_deep(n); });
  added &= add_shape("right deep", 200, 0, [](int n) { shape::right_deep(n); });
  added &= add_shape("offers, then long", many_bodies, 1, [](int n) { shape::offers(n, long_us); });
  added &=
    add_shape("far offers, then long", 25, 1, [](int n) { shape::far_offers(n, long_us / 2); });
  added &= add_shape("join: long, many", many_bodies, 1,
    [](int n) { S::join([] { long_body(long_us); }, [n] { shape::many(n); }); });
  added &= add_shape("join: many, long", many_bodies, 1,
    [](int n) { S::join([n] { shape::many(n); }, [] { long_body(long_us); }); });
  added &=
    add_shape("join_n, first long", many_bodies, 1, [](int n) { shape::many_and_one(n, 0); });
  added &=
    add_shape("join_n, middle long", many_bodies, 1, [](int n) { shape::many_and_one(n, n / 2); });
  added &= add_shape("join_n, last long", many_bodies, 1, [](int n) { shape::many_and_one(n, n); });
  added &= add_shape("tasks, then long", many_bodies, 1, [](int n) {
    S::tasks([n](auto spawn) {
      for(int i = 0; i != n; ++i)
        spawn([] { short_body(); });
      long_body(long_us);
    });
  });
  added &= add_shape("tasks, first long", many_bodies, 1, [](int n) {
    S::tasks([n](auto spawn) {
      spawn([] { long_body(long_us); });
      for(int i = 0; i != n; ++i)
        spawn([] { short_body(); });
    });
  });
  added &= add_shape("tasks, last long", many_bodies, 1, [](int n) {
    S::tasks([n](auto spawn) {
      for(int i = 0; i != n; ++i)
        spawn([] { short_body(); });
      spawn([] { long_body(long_us); });
    });
  });
  for(const auto& [name, part] : {std::pair("loop, first long", 0),
        std::pair("loop, middle long", 1), std::pair("loop, last long", 2)})
    added &= add_shape(name, many_bodies, 1, [part = part](int n) {
      S::loop(n + 1, [at = n * part / 2](int i) { i == at ? long_body(long_us) : short_body(); });
    });
  return added;
}

} // namespace bench::balance
