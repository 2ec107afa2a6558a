#include "algorithm/cases.hpp"

namespace {

using namespace bench::algorithm;
using bench::role;

// OpenMP's reduction combines the threads' sums in any order, so it isn't among the deterministic.
struct openmp_loops {
  explicit openmp_loops(unsigned w) : workers(static_cast<int>(w)) {}
  void for_each(array& x) {
    double* const v = x.begin();
    const auto n = x.size();
#pragma omp parallel for num_threads(workers) schedule(static)
    for(std::size_t i = 0; i < n; ++i)
      affine(v[i]);
  }
  double sum(const array& x) {
    const double* const v = x.begin();
    const auto n = x.size();
    double s = 0;
#pragma omp parallel for num_threads(workers) schedule(static) reduction(+ : s)
    for(std::size_t i = 0; i < n; ++i)
      s += v[i];
    return s;
  }
  void rows(picture& p) {
#pragma omp parallel for num_threads(workers) schedule(dynamic)
    for(std::size_t i = 0; i < p.rows; ++i)
      p.row(i);
  }
  int workers;
};

const bool added = add_for_each<openmp_loops>("OpenMP", role::peer) &&
                   add_reduce<openmp_loops>("OpenMP", role::peer) &&
                   add_uneven<openmp_loops>("OpenMP dynamic", role::peer);

} // namespace
