#pragma once

// The cases about futures. A system takes part in those it has something for: its adapter calls the
// add_... functions below, each of which says what it needs of a system S. All have
//
//     explicit S(unsigned workers);
//
// Times are given per call, link or future, so a system that would take minutes may do fewer: it says
// `using heavy = void;`, and why.

#include "harness/case.hpp"
#include "harness/clock.hpp"
#include "harness/resident.hpp"

#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace bench::futures {

template<class S>
constexpr bool is_heavy = requires { typename S::heavy; };

// --- one task and its result --------------------------------------------------------------------
//
//     template<class F> auto run(F f);             // f() where call() may be called, its result
//     template<class F> auto call(F f);            // f() as a task of its own; waits for its result
//     template<class F> auto call_from_main(F f);  // optional: the same, outside of run

template<class S, class Call>
double time_per_call(const context& c, int full, Call call) {
  const int n = c.quick ? 500 : is_heavy<S> ? 20'000 : full;
  const auto calls = [&](int k) {
    std::int64_t sum = 0;
    for(int i = 0; i < k; ++i)
      sum += call([i] { return i; });
    return sum;
  };
  check(calls(n / 10) == std::int64_t{n / 10} * (n / 10 - 1) / 2, "async: a wrong result");
  std::int64_t sum = 0;
  const double t = time_of([&] { sum = calls(n); });
  check(sum == std::int64_t{n} * (n - 1) / 2, "async: a wrong result");
  return t / n;
}

template<class S>
figures measure_call(const context& c) {
  S s(c.workers);
  const double t =
    s.run([&] { return time_per_call<S>(c, 200'000, [&s](auto f) { return s.call(f); }); });
  return {{"time per call", "ns", t}};
}

template<class S>
figures measure_call_from_main(const context& c) {
  S s(c.workers);
  return {{"time per call", "ns",
    time_per_call<S>(c, 50'000, [&s](auto f) { return s.call_from_main(f); })}};
}

template<class S>
bool add_calls(const std::string& system, role who, std::vector<unsigned> workers = {1, 2}) {
  add({"async + get", system, who, workers, measure_call<S>});
  if constexpr(requires(S& s) { s.call_from_main([] { return 0; }); })
    add({"async + get from main", system, who, workers, measure_call_from_main<S>});
  return true;
}

// --- fib ------------------------------------------------------------------------------------------
//
//     template<class F> auto run(F f);                  // f() where join() may be called, its result
//     template<class F, class G> auto join(F f, G g);   // f() as a task, g() meanwhile: both results

constexpr std::int64_t fib_value(int n) { return n < 2 ? n : fib_value(n - 1) + fib_value(n - 2); }
constexpr std::int64_t fib_calls(int n) { return 2 * fib_value(n + 1) - 1; }

template<class S>
std::int64_t fib(S& s, int n) {
  if(n < 2)
    return n;
  const auto [a, b] = s.join([&s, n] { return fib(s, n - 1); }, [&s, n] { return fib(s, n - 2); });
  return a + b;
}

template<class S>
figures measure_fib(const context& c) {
  S s(c.workers);
  constexpr int full = is_heavy<S> ? 16 : 25;
  const int n = c.quick ? full / 2 : full;
  const auto run = [&s](int k) { return s.run([&s, k] { return fib(s, k); }); };
  check(run(n - 4) == fib_value(n - 4), "fib: wrong value");
  std::int64_t value = 0;
  const double t = time_of([&] { value = run(n); });
  check(value == fib_value(n), "fib: wrong value");
  return {{"time per call", "ns", t / static_cast<double>(fib_calls(n))}};
}

template<class S>
bool add_fib(const std::string& system, role who, std::vector<unsigned> workers = {1, 2}) {
  return add({"fib(25) with futures", system, who, std::move(workers), measure_fib<S>});
}

// --- a chain --------------------------------------------------------------------------------------
//
//     std::uint64_t chain(int links);   // adds 1 that many times, each time after the last; the sum

template<class S>
figures measure_chain(const context& c) {
  S s(c.workers);
  const int n = c.quick ? 1'000 : is_heavy<S> ? 10'000 : 1'000'000;
  const auto links = static_cast<std::uint64_t>(n);
  check(s.chain(n) == links, "chain: a link is missing"); // and memory is warm
  std::uint64_t value = 0;
  const double t = time_of([&] { value = s.chain(n); });
  check(value == links, "chain: a link is missing");
  return {{"time per link", "ns", t / n}};
}

template<class S>
bool add_chain(const std::string& system, role who, std::vector<unsigned> workers = {1, 2}) {
  return add({"chain of then", system, who, std::move(workers), measure_chain<S>});
}

// --- when_all -------------------------------------------------------------------------------------
//
//     using future; using promise;                       // of int
//     template<class F> auto run(F f);
//     static future ready(int value);
//     // Asks for all the results, calls set(), and returns the results.
//     template<class F> static std::vector<int> all(std::vector<future> futures, F set);

// What a library without when_all has instead: get() on one future after the other.
template<template<class> class Promise, template<class> class Future>
struct one_by_one {
  using future = Future<int>;
  using promise = Promise<int>;
  template<class F>
  auto run(F f) {
    return f();
  }
  static future ready(int value) {
    promise p;
    p.set_value(value);
    return p.get_future();
  }
  template<class F>
  static std::vector<int> all(std::vector<future> futures, F set) {
    set();
    std::vector<int> values;
    values.reserve(futures.size());
    for(auto& f : futures)
      values.push_back(f.get());
    return values;
  }
};

template<class S>
figures measure_when_all(const context& c, bool ready) {
  const int n = c.quick ? 1'000 : 1'000'000;
  S s(c.workers);
  return s.run([&]() -> figures {
    std::vector<double> times;
    for(int round = 0; round < 3; ++round) {
      std::vector<typename S::promise> promises(static_cast<std::size_t>(ready ? 0 : n));
      std::vector<typename S::future> futures;
      futures.reserve(static_cast<std::size_t>(n));
      for(int i = 0; ready && i < n; ++i)
        futures.push_back(S::ready(i));
      for(auto& p : promises)
        futures.push_back(p.get_future());

      std::vector<int> values;
      times.push_back(time_of([&] {
        values = S::all(std::move(futures), [&promises] {
          int i = 0;
          for(auto& p : promises)
            p.set_value(i++);
        });
      }));
      check(values.size() == static_cast<std::size_t>(n), "when_all: results are missing");
      for(int i = 0; i < n; ++i)
        check(values[static_cast<std::size_t>(i)] == i, "when_all: a wrong result");
    }
    times.erase(times.begin()); // it pays for fresh pages
    return {{"time per future", "ns", median(times) / n}};
  });
}

template<class S>
bool add_when_all(const std::string& system, role who) {
  return add({"when_all, ready", system, who, {1},
           [](const context& c) { return measure_when_all<S>(c, true); }}) &&
         add({"when_all, not ready", system, who, {1},
           [](const context& c) { return measure_when_all<S>(c, false); }});
}

// --- blocked get ----------------------------------------------------------------------------------
//
//     using future; using promise;        // of int
//     void play(rally<S>& r);             // r.serve() and r.answer() as two tasks, to their ends

// Two tasks, each of which waits for what the other sets next. With one worker every get() but the
// first blocks.
template<class S>
struct rally {
  explicit rally(std::size_t rounds) : there(rounds), back(rounds) {
    for(auto& p : there)
      served.push_back(p.get_future());
    for(auto& p : back)
      answered.push_back(p.get_future());
  }
  void serve() {
    for(std::size_t i = 0; i < there.size(); ++i) {
      there[i].set_value(1);
      score += answered[i].get();
    }
  }
  void answer() {
    for(std::size_t i = 0; i < there.size(); ++i)
      back[i].set_value(1 + served[i].get());
  }
  std::vector<typename S::promise> there, back;
  std::vector<typename S::future> served, answered;
  std::uint64_t score = 0;
};

template<class S>
figures measure_rally(const context& c) {
  const std::size_t rounds = c.quick ? 500 : 100'000;
  S s(c.workers);
  const auto match = [&s](std::size_t n) {
    rally<S> r(n);
    const double t = time_of([&] { s.play(r); });
    check(r.score == 2 * n, "blocked get: a wrong result");
    return t / (2.0 * static_cast<double>(n));
  };
  match(rounds);
  return {{"time per get()", "ns", match(rounds)}};
}

template<class S>
bool add_rally(const std::string& system, role who, std::vector<unsigned> workers = {1}) {
  return add({"blocked get", system, who, std::move(workers), measure_rally<S>});
}

// --- many blocked tasks ---------------------------------------------------------------------------
//
//     // Starts n tasks that all wait for one future and return its value; calls all_blocked() when
//     // they do; sets the value; the sum of what the tasks return.
//     template<class F> std::int64_t block(int n, int value, F all_blocked);

template<class S>
figures measure_blocked(const context& c) {
  const int n = c.quick ? 1'000 : 100'000;
  const int value = 7;
  S s(c.workers);
  double memory = 0;
  const double before = resident_bytes();
  const auto round = [&] {
    std::int64_t sum = 0;
    const double t =
      time_of([&] { sum = s.block(n, value, [&] { memory = resident_bytes() - before; }); });
    check(sum == std::int64_t{value} * n, "blocked: a wrong result");
    return t / n;
  };
  const double fresh = round();
  const double grown = memory;
  const double again = round();
  return {{"resident memory, all blocked", "MiB", grown / (1 << 20)},
    {"time per task, fresh memory", "ns", fresh}, {"time per task, again", "ns", again}};
}

template<class S>
bool add_blocked(const std::string& system, role who) {
  return add({"100k blocked", system, who, {1}, measure_blocked<S>});
}

} // namespace bench::futures
