#include "forkjoin/cases.hpp"

#include <utility>

namespace {

// `untied` as in most published task benchmarks: it leaves the runtime the choice.
struct openmp {
  explicit openmp(unsigned w) : workers(static_cast<int>(w)) {}
  template<class F>
  auto run(F f) {
    decltype(f()) result{};
#pragma omp parallel num_threads(workers)
#pragma omp single
    result = f();
    return result;
  }
  template<class F, class G>
  static auto join(F f, G g) {
    decltype(f()) a;
#pragma omp task untied shared(a) firstprivate(f) default(none)
    a = f();
    auto b = g();
#pragma omp taskwait
    return std::pair(a, b);
  }
  template<class F>
  static void join_n(int n, F f) {
    if(n == 0)
      return;
    for(int i = 0; i < n - 1; ++i) {
#pragma omp task untied shared(f) firstprivate(i) default(none)
      f(i);
    }
    f(n - 1);
#pragma omp taskwait
  }
  int workers;
};

const bool added = bench::forkjoin::add_system<openmp>("OpenMP", bench::role::peer);

} // namespace
