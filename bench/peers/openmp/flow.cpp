// From 64 queued tasks per thread on libgomp doesn't queue a task but runs it where it is made, and
// before that waits there for what it depends on: so it has a window, too.

#include "flow/cases.hpp"

namespace {

using bench::flow::cell;
using bench::flow::launch;
using bench::flow::program;

struct openmp {
  // The more there are, the longer each takes: 200,000 random ones don't end within minutes.
  static constexpr std::size_t most_mixed = 10'000;

  openmp(unsigned w, std::vector<cell>& cells)
      : workers(static_cast<int>(w)), cells_of(cells.data()) {}

  template<class Pass>
  void run(const program& p, const Pass& pass) {
#pragma omp parallel num_threads(workers)
#pragma omp single
    for(std::size_t i = 0; i < p.launches.size(); ++i) {
      const launch& l = p.launches[i];
      const auto task = pass.task(i);
      cell* const c = cells_of;
      // The usual ones are written out: an iterator takes longer.
      if(l.accesses() == 0) {
#pragma omp task firstprivate(task)
        task();
      }
      else if(l.reads == 0 && l.writes == 1) {
#pragma omp task depend(inout : c[l.cells[0]]) firstprivate(task)
        task();
      }
      else {
        const int reads = l.reads;
        const int all = static_cast<int>(l.accesses());
#pragma omp task depend(iterator(int k = 0 : reads), in : c[l.cells[k]])                           \
  depend(iterator(int k = reads : all), inout : c[l.cells[k]]) firstprivate(task)
        task();
      }
    }
  }

  int workers;
  cell* cells_of;
};

const bool added = bench::flow::add_system<openmp>("OpenMP depend", bench::role::peer);

} // namespace
