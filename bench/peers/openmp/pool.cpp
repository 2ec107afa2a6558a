#include <cases.hpp>

#include <utility>

namespace {

// The submitting thread is inside a `single`; the others wait at its end and take tasks there.
struct openmp_pool {
  explicit openmp_pool(unsigned threads) : team(static_cast<int>(threads) + 1) {}
  template<class F>
  void enter(F f) {
#pragma omp parallel num_threads(team)
#pragma omp single
    f();
  }
  template<class F>
  void submit(F f) {
#pragma omp task firstprivate(f)
    f();
  }
  void wait() {
#pragma omp taskwait
  }
  // From 64 tasks per thread on, libgomp runs them where they are made.
  using bounded = void;
  int team;
};

const bool added = bench::pool::add_system<openmp_pool>("OpenMP", bench::role::peer);

} // namespace
