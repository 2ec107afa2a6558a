#pragma once

// Loops that end when a task says so. A system S has
//
//     S(unsigned workers, problem& p);
//     static constexpr unsigned lag = 0;                  // passes that it does after the last one
//     template<class Launched>
//     std::uint64_t run(const Launched& launched);        // until it is enough; passes that have run
//
// launched() is called by the launching code when it has left the loop, whether or not all tasks have
// ended then.

#include "harness/case.hpp"
#include "harness/clock.hpp"
#include "loop/problem.hpp"

#include <cstdint>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace bench::loop {

// How often the calling thread has gone to sleep so far.
inline long sleeps() {
  rusage r{};
  getrusage(RUSAGE_THREAD, &r);
  return r.ru_nvcsw;
}

struct shape {
  unsigned blocks;
  double microseconds; // of a task
  unsigned passes;
};

// With one block a pass is a chain; with four there is something to do at the same time.
inline const char* name(unsigned blocks) { return blocks == 1 ? "chain" : "4 blocks"; }

inline problem make(const shape& s, const context& c) {
  return {s.blocks, s.microseconds, c.quick ? 20 : s.passes};
}

// The same without any runtime, `more` passes after the end included.
inline std::uint64_t run_alone(problem& p, unsigned more) {
  std::uint64_t passes = 1;
  while(!p.pass())
    ++passes;
  for(unsigned i = 0; i != more; ++i)
    p.pass();
  return passes + more;
}

template<class S>
figures measure(const shape& s, const context& c) {
  problem p = make(s, c);
  const std::uint64_t expected = run_alone(p, S::lag);
  const problem after = p;

  S system(c.workers, p);
  constexpr int runs = 4; // the first is not counted: its memory is not warm
  std::vector<double> times, slept;
  for(int i = 0; i < runs; ++i) {
    p.reset();
    std::uint64_t passes = 0;
    long slept_in_loop = 0;
    times.push_back(time_of([&] {
      const long before = sleeps();
      passes = system.run([&] { slept_in_loop = sleeps() - before; });
    }));
    slept.push_back(static_cast<double>(slept_in_loop));
    check(passes == expected, "loop: not the number of passes that it takes");
    for(unsigned b = 0; b != p.blocks(); ++b)
      check(p.u[b].x == after.u[b].x, "loop: the result is not that of a loop that waits");
  }
  times.erase(times.begin());
  slept.erase(slept.begin());
  const auto passes = static_cast<double>(expected);
  return {{"time per pass", "us", median(times) / passes * 1e-3},
    {"launching thread went to sleep", "times in 1000 passes", median(slept) / passes * 1e3}};
}

constexpr shape shapes[] = {
  {1, 0, 20'000}, {1, 5, 3'000}, {1, 100, 300}, {4, 0, 5'000}, {4, 5, 1'000}, {4, 100, 100}};

inline std::string test_name(const shape& s) {
  return std::string(name(s.blocks)) + ", " + std::to_string(static_cast<int>(s.microseconds)) +
         " us";
}

template<class S>
bool add_system(const std::string& system, role who) {
  bool ok = true;
  for(const shape& s : shapes)
    ok = ok && add({test_name(s), system, who,
                 who == role::serial ? std::vector{1U} : std::vector{1U, 2U},
                 [s](const context& c) { return measure<S>(s, c); }});
  return ok;
}

// For systems whose launching thread is not one of the workers: there is one of these, so that both
// have a core.
template<class S>
bool add_outside(const std::string& system, role who) {
  bool ok = true;
  for(const shape& s : shapes)
    ok = ok && add({test_name(s) + ", launched from outside", system, who, {1},
                 [s](const context& c) { return measure<S>(s, c); }});
  return ok;
}

} // namespace bench::loop
