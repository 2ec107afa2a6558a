// OpenMP has no futures: a task leaves its result in a variable, and `taskwait` comes before the
// variable is read. All happens inside of a parallel region, so there are no calls from main.

#include "futures/cases.hpp"

namespace {

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
  template<class F>
  auto call(F f) {
    decltype(f()) result;
#pragma omp task untied shared(result) firstprivate(f) default(none)
    result = f();
#pragma omp taskwait
    return result;
  }
  template<class F, class G>
  auto join(F f, G g) {
    decltype(f()) a;
#pragma omp task untied shared(a) firstprivate(f) default(none)
    a = f();
    auto b = g();
#pragma omp taskwait
    return std::pair(a, b);
  }
  // The first link is ready at once. Were it not, libgomp would block where the 64th task per thread
  // is made: from there on it runs tasks at once, after what they depend on.
  std::uint64_t chain(int links) {
    return run([links] {
      std::uint64_t value = 0;
      for(int i = 0; i < links; ++i) {
#pragma omp task depend(inout : value) shared(value) default(none)
        ++value;
      }
#pragma omp taskwait
      return value;
    });
  }
  int workers;
};

using namespace bench::futures;

const bool added = add_calls<openmp>("OpenMP", bench::role::peer) &&
                   add_fib<openmp>("OpenMP", bench::role::peer) &&
                   add_chain<openmp>("OpenMP depend", bench::role::peer);

} // namespace
