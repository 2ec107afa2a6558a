#include "balance/cases.hpp"

#include <utility>

namespace {

using namespace bench::balance;

struct openmp {
  explicit openmp(unsigned w) : workers(static_cast<int>(w)) {}
  template<class F>
  void run(F f) {
#pragma omp parallel num_threads(workers)
#pragma omp single
    f();
  }
  template<class F, class G>
  static void join(F f, G g) {
#pragma omp task untied firstprivate(g) default(none)
    g();
    f();
#pragma omp taskwait
  }
  template<class F>
  static void join_n(int n, F f) {
    for(int i = n; i-- > 1;) {
#pragma omp task untied shared(f) firstprivate(i) default(none)
      f(i);
    }
    f(0);
#pragma omp taskwait
  }
  template<class F>
  static void tasks(F f) {
    const auto spawn = [](auto body) {
#pragma omp task untied firstprivate(body) default(none)
      body();
    };
    f(spawn);
#pragma omp taskwait
  }
  // A loop of tasks, since it is met by one thread, inside of others' work.
  template<class F>
  static void loop(int n, F f) {
#pragma omp taskloop untied shared(f) grainsize(1)
    for(int i = 0; i < n; ++i)
      f(i);
  }
  int workers;
};

const bool added = bench::balance::add_system<openmp>("OpenMP", bench::role::peer);

} // namespace
