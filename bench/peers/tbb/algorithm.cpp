#include "algorithm/cases.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <functional>

namespace {

using namespace bench::algorithm;
using bench::role;

struct tbb_loops {
  explicit tbb_loops(unsigned workers)
      : limit(tbb::global_control::max_allowed_parallelism, workers) {}
  void for_each(array& x) {
    tbb::parallel_for(tbb::blocked_range<double*>(x.begin(), x.end()), [](const auto& r) {
      for(double& v : r)
        affine(v);
    });
  }
  double sum(const array& x) {
    return tbb::parallel_reduce(
      tbb::blocked_range<const double*>(x.begin(), x.end()), 0.0, add_range, std::plus<>());
  }
  void rows(picture& p) {
    tbb::parallel_for(std::size_t{0}, p.rows, [&p](std::size_t i) { p.row(i); });
  }
  static double add_range(const tbb::blocked_range<const double*>& r, double s) {
    for(const double v : r)
      s += v;
    return s;
  }
  tbb::global_control limit;
};

// Without a partitioner the deterministic reduction splits down to single elements.
struct tbb_deterministic : tbb_loops {
  using tbb_loops::tbb_loops;
  double sum(const array& x) {
    return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<const double*>(x.begin(), x.end()), 0.0, add_range, std::plus<>());
  }
};

struct tbb_deterministic_static : tbb_loops {
  using tbb_loops::tbb_loops;
  double sum(const array& x) {
    return tbb::parallel_deterministic_reduce(tbb::blocked_range<const double*>(x.begin(), x.end()),
      0.0, add_range, std::plus<>(), tbb::static_partitioner());
  }
};

const bool added = add_for_each<tbb_loops>("TBB", role::peer) &&
                   add_reduce<tbb_loops>("TBB", role::peer) &&
                   add_deterministic<tbb_deterministic>("TBB default", role::peer) &&
                   add_deterministic<tbb_deterministic_static>("TBB static", role::peer) &&
                   add_uneven<tbb_loops>("TBB auto", role::peer);

} // namespace
