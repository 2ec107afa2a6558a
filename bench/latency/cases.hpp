#pragma once

#include "harness/case.hpp"
#include "harness/clock.hpp"
#include "harness/pool.hpp"

#include <atomic>
#include <string>
#include <thread>

namespace bench::pool {

// From just before `submit` to the first instruction of the task, once.
struct probe {
  clock::time_point begin;
  clock::time_point start;
  std::atomic<bool> done{false};

  double microseconds() const { return nanoseconds(start - begin) * 1e-3; }
};

template<class P>
void submit_probe(P& p, probe& x) {
  x.begin = clock::now();
  p.submit([&x] {
    x.start = clock::now();
    x.done.store(true, std::memory_order_release);
  });
}

// Looks without sleeping, but lets others run: there may be more threads than cores.
inline void await(const probe& x) {
  for(int i = 0; !x.done.load(std::memory_order_acquire); ++i)
    if(i > 10'000)
      std::this_thread::yield();
}

inline void pause_for(clock::duration d) {
  const auto until = clock::now() + d;
  while(clock::now() < until) {
  }
}

// `between` is what happens before each submission, `finish` what the submitting thread does after it.
template<class P, class Between, class Finish>
double median_latency(P& p, int n, Between between, Finish finish) {
  std::vector<double> us;
  p.enter([&] {
    for(int i = 0; i < n; ++i) {
      between();
      probe x;
      submit_probe(p, x);
      finish(x);
      check(x.done.load(), "latency: waiting came back before the task had run");
      us.push_back(x.microseconds());
    }
  });
  return median(std::move(us));
}

template<class P>
figures measure_spinning(const context& c) {
  P p(c.workers);
  const auto once = [&](int n) {
    return median_latency(
      p, n, [] { pause_for(std::chrono::microseconds(5)); }, await);
  };
  once(100);
  return {{"submit to start", "us", once(c.quick ? 200 : 5000)}};
}

template<class P>
figures measure_asleep(const context& c) {
  P p(c.workers);
  const auto once = [&](int n) {
    return median_latency(
      p, n, [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }, await);
  };
  once(2);
  return {{"submit to start", "us", once(c.quick ? 5 : 50)}};
}

template<class P>
struct helping {
  using type = P;
};
template<class P>
  requires requires { typename P::helping; }
struct helping<P> {
  using type = typename P::helping;
};

template<class P>
figures measure_helped(const context& c) {
  typename helping<P>::type p(c.workers);
  const auto once = [&](int n) {
    return median_latency(
      p, n, [] { pause_for(std::chrono::microseconds(5)); }, [&p](const probe&) { p.wait(); });
  };
  once(100);
  return {{"submit to start", "us", once(c.quick ? 200 : 5000)}};
}

// From before anything of the runtime is there to the end of a first task, in a process that has done nothing
// else. Once per process, so there are as many samples as repetitions.
template<class P>
figures measure_first(const context& c) {
  const auto begin = clock::now();
  P p(c.workers);
  double us = 0;
  p.enter([&] {
    probe x;
    submit_probe(p, x);
    await(x);
    us = nanoseconds(clock::now() - begin) * 1e-3;
  });
  return {{"pool made, a task run", "us", us}};
}

// The number of workers is that of the threads besides the submitting one.
template<class P>
bool add_system(const std::string& system, role who) {
  return add({"first of a process", system, who, {1, 2}, measure_first<P>}) &&
         add({"workers spinning", system, who, {1, 2}, measure_spinning<P>}) &&
         add({"workers asleep", system, who, {1, 2}, measure_asleep<P>}) &&
         add({"submit, then wait()", system, who, {1, 2}, measure_helped<P>});
}

} // namespace bench::pool
