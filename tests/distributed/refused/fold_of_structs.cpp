// rondo: this fold can't fold what the task returns: fold::sum needs +

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

struct extent {
  double low, high;
};

extent whole(grid::view m, numbers::accessor<ro> u);
void go(scheduler& s, grid& m, numbers& u) { auto all = s.reduce<whole, fold::sum>(m, u); }
