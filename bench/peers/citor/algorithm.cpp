#include "algorithm/cases.hpp"

#include <citor/thread_pool.h>

#include <functional>

namespace {

using namespace bench::algorithm;
using bench::role;

struct citor_loops {
  explicit citor_loops(unsigned workers) : pool(workers) {}
  void for_each(array& x) {
    pool.parallelFor<citor::StaticHints>(
      0, x.size(), [v = x.begin()](std::size_t lo, std::size_t hi) {
        for(auto i = lo; i < hi; ++i)
          affine(v[i]);
      });
  }
  double sum(const array& x) {
    return pool.parallelReduce<citor::FixedBlockReduceHints>(
      0, x.size(), 0.0,
      [v = x.begin()](std::size_t lo, std::size_t hi) {
        double s = 0;
        for(auto i = lo; i < hi; ++i)
          s += v[i];
        return s;
      },
      std::plus<double>());
  }
  void rows(picture& p) {
    pool.parallelFor<citor::DynamicHints>(0, p.rows, [&p](std::size_t lo, std::size_t hi) {
      for(auto i = lo; i < hi; ++i)
        p.row(i);
    });
  }
  citor::ThreadPool pool;
};

const bool added = add_for_each<citor_loops>("citor", role::peer) &&
                   add_reduce<citor_loops>("citor", role::peer) &&
                   add_deterministic<citor_loops>("citor", role::peer) &&
                   add_uneven<citor_loops>("citor", role::peer);

} // namespace
