#include "cholesky/cases.hpp"

namespace {

using bench::cholesky::problem;
using bench::cholesky::step;

struct openmp {
  openmp(unsigned w, const problem& problem)
      : workers(static_cast<int>(w)), p(problem), names(p.l.tiles()) {}

  void run(const std::vector<step>& steps) {
    [[maybe_unused]] char* const tile = names.data(); // g++ doesn't see the use in depend
    const problem* const all = &p;
#pragma omp parallel num_threads(workers)
#pragma omp single
    for(std::size_t i = 0; i < steps.size(); ++i) {
      const step* const s = &steps[i];
      if(s->reads == 0) {
#pragma omp task depend(inout : tile[s->to]) firstprivate(s)
        all->run(*s);
      }
      else if(s->reads == 1) {
#pragma omp task depend(in : tile[s->read(0)]) depend(inout : tile[s->to]) firstprivate(s)
        all->run(*s);
      }
      else {
#pragma omp task depend(in : tile[s->read(0)], tile[s->read(1)]) depend(inout : tile[s->to])       \
  firstprivate(s)
        all->run(*s);
      }
    }
  }

  int workers;
  const problem& p;
  std::vector<char> names; // only their addresses matter
};

const bool added = bench::cholesky::add_system<openmp>("OpenMP depend", bench::role::peer);

} // namespace
