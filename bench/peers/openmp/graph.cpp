// OpenMP has no graph to keep: `depend` clauses are given, and found again, in every run. So it has a
// re-run only, which includes making the tasks.

#include "graph/cases.hpp"

namespace {

using bench::context;
using bench::figures;
using namespace bench::graph;

// The objects of the clauses are the counters themselves.
template<class Shape>
void run(
  const Shape& shape, std::vector<std::uint32_t>& counts, std::vector<char>* wrong, int workers) {
  std::uint32_t* const c = counts.data();
#pragma omp parallel num_threads(workers)
#pragma omp single
  for(std::uint32_t i = 0; i < shape.size(); ++i) {
    std::uint32_t p[4];
    int n = 0;
    shape.predecessors(i, [&](std::uint32_t j) { p[n++] = j; });
    const auto body = [c, i, wrong, &shape] {
      work_of_a_node<Shape>();
      ++c[i];
      if(wrong != nullptr)
        shape.predecessors(i, [&](std::uint32_t j) { (*wrong)[i] |= c[j] != c[i]; });
    };
    if(n == 0) {
#pragma omp task depend(out : c[i]) firstprivate(body)
      body();
    }
    else if(n == 1) {
#pragma omp task depend(out : c[i]) depend(in : c[p[0]]) firstprivate(body)
      body();
    }
    else if(n == 2) {
#pragma omp task depend(out : c[i]) depend(in : c[p[0]], c[p[1]]) firstprivate(body)
      body();
    }
    else if(n == 3) {
#pragma omp task depend(out : c[i]) depend(in : c[p[0]], c[p[1]], c[p[2]]) firstprivate(body)
      body();
    }
    else {
#pragma omp task depend(out : c[i]) depend(in : c[p[0]], c[p[1]], c[p[2]], c[p[3]])                \
  firstprivate(body)
      body();
    }
  }
}

template<class Shape>
figures measure_depend(const context& c, const Shape& shape) {
  std::vector<std::uint32_t> counts(shape.size());
  std::vector<char> wrong(shape.size());
  const int workers = static_cast<int>(c.workers);
  run(shape, counts, &wrong, workers);
  const double t = bench::median_time_of(3, [&] { run(shape, counts, nullptr, workers); });
  for(std::uint32_t i = 0; i < shape.size(); ++i)
    bench::check(
      counts[i] == 4 && !wrong[i], "graph: a node was not run once per pass, or too early");
  return {{"re-run", "ns/node", t / shape.size()}};
}

const bool added = for_all_shapes([](const char* test, auto make) {
  return bench::add({test, "OpenMP depend", bench::role::peer, {1, 2},
    [make](const context& c) { return measure_depend(c, make(c.quick)); }});
});

} // namespace
