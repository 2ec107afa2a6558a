// A pass is a graph, made once. Taskflow can run it until something holds without a thread that waits;
// the other way is the loop that does.

#include "loop/cases.hpp"

#include <taskflow/taskflow.hpp>

namespace {

using bench::loop::norm;
using bench::loop::problem;

template<bool blocking>
struct taskflow {
  static constexpr unsigned lag = 0;
  taskflow(unsigned workers, problem& of) : p(of), ex(workers) {
    for(unsigned b = 0; b != p.blocks(); ++b) {
      auto there = pass.emplace([this, b] { p.relax(p.u[b], p.v[b]); });
      auto back = pass.emplace([this, b] { p.relax(p.v[b], p.u[b]); });
      auto look = pass.emplace([this, b] { p.r[b] = p.residual(p.u[b]); });
      there.precede(back);
      back.precede(look);
    }
  }

  template<class Launched>
  std::uint64_t run(const Launched& launched) {
    std::uint64_t passes = 0;
    if(blocking)
      do {
        ex.run(pass).get();
        ++passes;
      } while(!is_over());
    else {
      std::uint64_t asked = 0; // it asks before the first pass, too
      auto all = ex.run_until(pass, [&] { return asked++ != 0 && is_over(); });
      launched();
      all.get();
      return asked - 1;
    }
    launched();
    return passes;
  }

private:
  [[nodiscard]] bool is_over() const {
    bool enough = true;
    for(const norm& n : p.r)
      enough = enough && p.is_enough(n);
    return enough;
  }

  problem& p;
  tf::Executor ex;
  tf::Taskflow pass;
};

template<bool blocking>
bool add(const char* name) {
  return bench::loop::add_system<taskflow<blocking>>(name, bench::role::peer) &&
         bench::loop::add_outside<taskflow<blocking>>(name, bench::role::peer);
}

const bool added = add<true>("Taskflow get()") && add<false>("Taskflow run_until");

} // namespace
