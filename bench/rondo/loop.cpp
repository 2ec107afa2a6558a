// Passes launched ahead, next to the same with a wait after each of them. The latter is listed as `tuned`,
// so that the column of ratios shows what is gained.

#include "loop/cases.hpp"

#include <rondo/core/executor.hpp>
#include <rondo/flow.hpp>

#include <deque>

namespace {

using bench::loop::field;
using bench::loop::norm;
using bench::loop::problem;

// Apart: the launching thread has no seat among the workers, and sleeps where it waits.
template<bool apart>
struct rondo_pass {
  rondo_pass(unsigned workers, problem& of) : p(of), ex(options(workers)), flow(ex) {
    for(unsigned b = 0; b != p.blocks(); ++b) {
      u.emplace_back(flow, p.u[b]);
      v.emplace_back(flow, p.v[b]);
      r.emplace_back(flow, p.r[b]);
    }
  }
  static rondo::executor_options options(unsigned workers) {
    rondo::executor_options o;
    o.workers = workers;
    o.background = apart;
    return o;
  }

  rondo::future<bool> launch() {
    const problem* const of = &p;
    const auto relax = [of](const field& from, field& to) { of->relax(from, to); };
    for(unsigned b = 0; b != p.blocks(); ++b) {
      flow.submit(relax, rondo::read(u[b]), rondo::write(v[b]));
      flow.submit(relax, rondo::read(v[b]), rondo::write(u[b]));
      if(p.blocks() != 1)
        flow.submit([of](const field& x, norm& n) { n = of->residual(x); }, rondo::read(u[b]),
          rondo::write(r[b]));
    }
    if(p.blocks() == 1)
      return flow.submit(
        [of](const field& x) { return of->is_enough(of->residual(x)); }, rondo::read(u[0]));
    return flow.submit([of](const norm& n0, const norm& n1, const norm& n2,
                         const norm& n3) { return of->is_enough(n0, n1, n2, n3); },
      rondo::read(r[0]), rondo::read(r[1]), rondo::read(r[2]), rondo::read(r[3]));
  }

  problem& p;
  rondo::executor ex;
  rondo::flow flow;
  std::deque<rondo::region<field>> u, v;
  std::deque<rondo::region<norm>> r;
};

template<bool apart, unsigned lagging>
struct ahead : rondo_pass<apart> {
  static constexpr unsigned lag = lagging;
  using rondo_pass<apart>::rondo_pass;
  template<class Launched>
  std::uint64_t run(const Launched& launched) {
    auto passes = this->flow.iterate([this] { return this->launch(); }, {.lag = lag});
    launched();
    this->flow.wait();
    return passes.get();
  }
};

template<bool apart>
struct blocking : rondo_pass<apart> {
  static constexpr unsigned lag = 0;
  using rondo_pass<apart>::rondo_pass;
  template<class Launched>
  std::uint64_t run(const Launched& launched) {
    std::uint64_t passes = 1;
    while(!this->launch().get())
      ++passes;
    launched();
    this->flow.wait();
    return passes;
  }
};

using bench::role;
using bench::loop::add_outside;
using bench::loop::add_system;

const bool added = add_system<ahead<false, 0>>("rondo iterate", role::rondo) &&
                   add_system<ahead<false, 1>>("rondo iterate, lag 1", role::rondo) &&
                   add_system<blocking<false>>("rondo get()", role::tuned) &&
                   add_outside<ahead<true, 0>>("rondo iterate", role::rondo) &&
                   add_outside<ahead<true, 1>>("rondo iterate, lag 1", role::rondo) &&
                   add_outside<blocking<true>>("rondo get()", role::tuned);

} // namespace
