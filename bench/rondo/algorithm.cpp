#include "algorithm/cases.hpp"

#include <rondo/core/algorithm.hpp>
#include <rondo/core/executor.hpp>

#include <functional>

namespace {

using namespace bench::algorithm;
using bench::role;

struct automatic {
  static auto chunks() { return rondo::auto_chunks(); }
};
struct fixed {
  static auto chunks() { return rondo::static_chunks(); }
};
struct guided {
  static auto chunks() { return rondo::guided_chunks(); }
};
template<std::size_t n>
struct dynamic {
  static auto chunks() { return rondo::dynamic_chunks(n); }
};

template<class Chunking>
struct rondo_loops {
  explicit rondo_loops(unsigned workers) : ex(workers) {}
  void for_each(array& x) {
    rondo::for_each(
      ex, x.begin(), x.end(), [](double& v) { affine(v); }, Chunking::chunks());
  }
  double sum(const array& x) {
    return rondo::reduce(ex, x.begin(), x.end(), 0.0, std::plus<>(), Chunking::chunks());
  }
  void rows(picture& p) {
    rondo::for_each_index(
      ex, rondo::extents{p.rows}, [&p](std::size_t i) { p.row(i); }, Chunking::chunks());
  }
  rondo::executor ex;
};

using defaults = rondo_loops<automatic>;

const bool added =
  add_for_each<defaults>("rondo", role::rondo) && add_reduce<defaults>("rondo", role::rondo) &&
  add_deterministic<defaults>("rondo", role::rondo) && add_uneven<defaults>("rondo", role::rondo);

// What the default chunking is judged by. The best of these is the best found by hand.
const bool swept = add_deterministic<rondo_loops<fixed>>("rondo static", role::tuned) &&
                   add_uneven<rondo_loops<fixed>>("rondo static", role::tuned) &&
                   add_uneven<rondo_loops<guided>>("rondo guided", role::tuned) &&
                   add_uneven<rondo_loops<dynamic<1>>>("rondo dynamic(1)", role::tuned) &&
                   add_uneven<rondo_loops<dynamic<4>>>("rondo dynamic(4)", role::tuned) &&
                   add_uneven<rondo_loops<dynamic<16>>>("rondo dynamic(16)", role::tuned) &&
                   add_uneven<rondo_loops<dynamic<64>>>("rondo dynamic(64)", role::tuned);

} // namespace
