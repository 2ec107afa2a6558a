#include "loop/cases.hpp"

namespace {

using bench::loop::field;
using bench::loop::norm;
using bench::loop::problem;

struct openmp {
  static constexpr unsigned lag = 0;
  openmp(unsigned w, problem& of) : p(of), workers(static_cast<int>(w)) {}

  template<class Launched>
  std::uint64_t run(const Launched& launched) {
    std::uint64_t passes = 0;
#pragma omp parallel num_threads(workers)
#pragma omp master
    {
      bool enough = false;
      while(!enough) {
        for(unsigned b = 0; b != p.blocks(); ++b)
          launch(&p.u[b], &p.v[b], &p.r[b]);
#pragma omp taskwait
        enough = true;
        for(const norm& n : p.r)
          enough = enough && p.is_enough(n);
        ++passes;
      }
      launched();
    }
    return passes;
  }

private:
  // By pointers: what a reference stands for would be copied into the task.
  void launch(field* u, field* v, norm* r) {
#pragma omp task depend(in : *u) depend(out : *v)
    p.relax(*u, *v);
#pragma omp task depend(in : *v) depend(out : *u)
    p.relax(*v, *u);
#pragma omp task depend(in : *u) depend(out : *r)
    *r = p.residual(*u);
  }

  problem& p;
  int workers;
};

const bool added = bench::loop::add_system<openmp>("OpenMP taskwait", bench::role::peer);

} // namespace
