// libgomp runs a task where it is made if there is but one thread: a gap is then all there is.

#include "gap/cases.hpp"

namespace {

struct openmp {
  using runs_at_once = void;
  template<class Make, class Launched>
  void run(std::size_t n, std::size_t places, const Make& make, const Launched& launched) {
#pragma omp parallel num_threads(1)
    {
      for(std::size_t i = 0; i < n; ++i) {
        const auto task = make(i);
        if(places == 0) {
#pragma omp task firstprivate(task)
          task();
        }
        else {
          char* const place = handles + i % places;
#pragma omp task depend(inout : *place) firstprivate(task)
          task();
        }
      }
      launched();
    }
  }
  char handles[bench::gap::most_places] = {};
};

const bool added = bench::gap::add_system<openmp>("OpenMP depend", bench::role::peer);

} // namespace
