#include "gap/cases.hpp"

#include <rondo/core/executor.hpp>
#include <rondo/flow.hpp>

#include <array>
#include <deque>

namespace {

using place = std::uint64_t;

struct launching {
  explicit launching(rondo::executor& ex) : flow(ex) {
    for(place& p : places)
      regions.emplace_back(flow, p);
  }
  template<class Make, class Launched>
  void run(std::size_t n, std::size_t among, const Make& task, const Launched& launched) {
    if(among == 0)
      for(std::size_t i = 0; i != n; ++i)
        flow.submit(task(i));
    else
      for(std::size_t i = 0, at = 0; i != n; ++i, at = at + 1 == among ? 0 : at + 1)
        flow.submit([f = task(i)](place&) { f(); }, rondo::write(regions[at]));
    launched();
    flow.wait();
  }
  std::array<place, bench::gap::most_places> places{};
  rondo::flow flow;
  std::deque<rondo::region<place>> regions;
};

// The thread of main launches, and takes the worker's seat when it waits.
struct from_main {
  template<class F>
  static void with(const F& f) {
    rondo::executor ex(1);
    launching l(ex);
    f(l);
  }
};

// A task launches: it is the only worker, so that nobody else can look meanwhile.
struct from_task {
  template<class F>
  static void with(const F& f) {
    rondo::executor ex(1);
    ex.run([&] {
      launching l(ex);
      f(l);
    });
  }
};

struct apart {
  apart() : ex(options()), flow(ex) {}
  static rondo::executor_options options() {
    rondo::executor_options o;
    o.workers = 1;
    o.background = true;
    return o;
  }
  template<class F>
  void submit(F f) {
    flow.submit(f);
  }
  void wait() { flow.wait(); }
  rondo::executor ex;
  rondo::flow flow;
};

using bench::role;

const bool added = bench::gap::add_system<from_main>("rondo", role::rondo) &&
                   bench::gap::add_system<from_task>("rondo, in a task", role::rondo) &&
                   bench::gap::add_latency<apart>("rondo", role::rondo);

} // namespace
