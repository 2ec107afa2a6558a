#include "algorithm/cases.hpp"

namespace {

using namespace bench::algorithm;

struct serial {
  explicit serial(unsigned) {}
  void for_each(array& x) {
    for(double& v : x)
      affine(v);
  }
  double sum(const array& x) {
    double s = 0;
    for(const double v : x)
      s += v;
    return s;
  }
  void rows(picture& p) {
    for(std::size_t i = 0; i < p.rows; ++i)
      p.row(i);
  }
};

constexpr auto who = bench::role::serial;
const bool added = add_for_each<serial>("serial", who) && add_reduce<serial>("serial", who) &&
                   add_deterministic<serial>("serial", who) && add_uneven<serial>("serial", who);

} // namespace
