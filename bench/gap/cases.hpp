#pragma once

// What one worker loses between tasks. A system S has
//
//     S();                                                // one worker, whose thread launches, too
//     template<class Make, class Launched>
//     void run(std::size_t n, std::size_t places, const Make& task, const Launched& launched);
//
// run() launches task(0)() to task(n - 1)(), calls launched(), and returns when all have ended.
// Nothing may run before launched(), or else `using runs_at_once = void;`. The i-th task writes the
// handle i % places, or has no accesses if places is 0; `using independent = void;` if the system has
// no such thing as accesses. What takes more than a constructor to be made has, instead of all that,
//
//     template<class F> static void with(const F& f);     // f(system)
//
// For latency a system has a thread that launches and a worker apart:
//
//     S();
//     template<class F> void submit(F f);
//     void wait();                                        // for all; called once, in the end

#include "harness/case.hpp"
#include "harness/clock.hpp"
#include "harness/ticks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bench::gap {

constexpr std::size_t most_places = 64;

struct stamps {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// A task that lasts so many ticks, and says from when until when.
struct stamping {
  stamps* mine;
  std::uint64_t lasts;
  void operator()() const {
    mine->begin = ticks();
    std::uint64_t now = ticks();
    while(now - mine->begin < lasts)
      now = ticks();
    mine->end = now;
  }
};

// A task that does nothing that takes time.
struct counting {
  std::uint64_t* count;
  void operator()() const { ++*count; }
};

inline std::vector<double> gaps(std::vector<stamps> all) {
  std::sort(
    all.begin(), all.end(), [](const stamps& a, const stamps& b) { return a.begin < b.begin; });
  std::vector<double> result;
  for(std::size_t i = 1; i < all.size(); ++i)
    result.push_back(static_cast<double>(all[i].begin - all[i - 1].end) * nanoseconds_per_tick());
  return result;
}

// What the stamps themselves take: the gap between two that come right after each other.
inline double cost_of_stamps() {
  std::vector<stamps> all(4'000);
  for(int i = 0; i < 2; ++i)
    for(stamps& s : all)
      stamping{&s, 0}();
  return median(gaps(all));
}

struct tasks {
  double shortest; // in microseconds
  double longest;
  std::size_t n;
  std::size_t places;
};

template<class S>
constexpr bool is_early = requires { typename S::runs_at_once; };

// Times of launching all, and of all until the last has ended.
struct durations {
  std::vector<double> launching;
  std::vector<double> all;
};

template<class System>
durations count_passes(System& system, const tasks& t, int passes) {
  durations times;
  std::uint64_t count = 0;
  for(int i = 0; i <= passes; ++i) {
    count = 0;
    const clock::time_point begin = clock::now();
    clock::time_point launched;
    std::uint64_t early = 0;
    system.run(
      t.n, t.places, [&](std::size_t) { return counting{&count}; },
      [&] {
        launched = clock::now();
        early = count;
      });
    const clock::time_point end = clock::now();
    check(count == t.n, "gap: not every task has run once");
    check(is_early<System> || early == 0, "gap: tasks have run before all were launched");
    if(i == 0)
      continue; // its memory was not warm
    times.launching.push_back(nanoseconds(launched - begin));
    times.all.push_back(nanoseconds(end - begin));
  }
  return times;
}

template<class System>
double median_gap(System& system, const tasks& t, int passes) {
  std::mt19937_64 numbers(1); // the same for everyone
  std::vector<std::uint64_t> lasts(t.n);
  for(auto& l : lasts)
    l = static_cast<std::uint64_t>(
      (t.shortest + (t.longest - t.shortest) * std::generate_canonical<double, 53>(numbers)) * 1e3 /
      nanoseconds_per_tick());
  std::vector<double> all;
  for(int i = 0; i <= passes; ++i) {
    std::vector<stamps> when(t.n);
    system.run(
      t.n, t.places,
      [&](std::size_t k) {
        return stamping{&when[k], lasts[k]};
      },
      [] {});
    for(const stamps& s : when)
      check(s.end != 0, "gap: not every task has run");
    const auto more = gaps(std::move(when));
    if(i != 0)
      all.insert(all.end(), more.begin(), more.end());
  }
  return median(std::move(all));
}

template<class S, class F>
void with_system(const F& f) {
  if constexpr(requires { S::with(f); })
    S::with(f);
  else {
    S system;
    f(system);
  }
}

template<class S>
figures measure(tasks t, const context& c) {
  t.n = c.quick ? 100 : t.n;
  const bool is_empty = t.longest == 0;
  const int passes = c.quick ? 1 : is_empty ? 50 : 2;
  const double cost = cost_of_stamps();
  figures result;
  with_system<S>([&]<class System>(System& system) {
    if(is_empty) { // else it would be the same again
      durations d = count_passes(system, t, passes);
      const auto n = static_cast<double>(t.n);
      if(!is_early<System>)
        result.push_back({"emplacement", "ns", median(std::move(d.launching)) / n});
      result.push_back({"launch and run", "ns", median(std::move(d.all)) / n});
    }
    const double gap = median_gap(system, t, passes) - cost;
    result.push_back({is_early<System> ? "gap, launch included" : "gap", "ns", std::max(0.0, gap)});
  });
  return result;
}

// From before a launch to the first instruction of the task, `pause` after the one before has ended.
template<class S>
figures measure_latency(std::chrono::microseconds pause, const context& c) {
  struct {
    alignas(64) std::uint64_t start = 0;
    std::atomic<bool> done{false};
  } x;
  S system;
  std::vector<double> ns;
  const int n = c.quick ? 100 : 3'000;
  for(int i = -100; i < n; ++i) {
    const auto until = clock::now() + pause;
    while(clock::now() < until) {
    }
    x.done.store(false, std::memory_order_relaxed);
    const std::uint64_t begin = ticks();
    system.submit([&x] {
      x.start = ticks();
      x.done.store(true, std::memory_order_release);
    });
    for(int looks = 0; !x.done.load(std::memory_order_acquire); ++looks)
      if(looks > 10'000) // there may be only one core
        std::this_thread::yield();
    if(i >= 0)
      ns.push_back(static_cast<double>(x.start - begin) * nanoseconds_per_tick());
  }
  system.wait();
  return {{"launch to start", "us", median(std::move(ns)) * 1e-3}};
}

// So many that Rondo's window of 4096 takes them all.
template<class S>
bool add_system(const std::string& system, role who) {
  const auto one = [&](const char* test, const tasks& t) {
    return add({test, system, who, {1}, [t](const context& c) { return measure<S>(t, c); }});
  };
  bool ok = one("0 us", {0, 0, 4'000, 0}) && one("50 us", {50, 50, 1'000, 0}) &&
            one("25-500 us", {25, 500, 400, 0});
  if constexpr(!requires { typename S::independent; })
    ok = ok && one("0 us, one of 64 regions", {0, 0, 4'000, 64}) &&
         one("0 us, all one region", {0, 0, 4'000, 1});
  return ok;
}

template<class S>
bool add_latency(const std::string& system, role who) {
  bool ok = true;
  for(const int us : {5, 100})
    ok =
      ok &&
      add({"latency, " + std::to_string(us) + " us after the last", system, who, {1},
        [us](const context& c) { return measure_latency<S>(std::chrono::microseconds(us), c); }});
  return ok;
}

} // namespace bench::gap
