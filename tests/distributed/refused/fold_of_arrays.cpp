// rondo: this fold can't fold what the task returns: fold::sum needs +

#include <array>

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

std::array<double, 2> both(grid::view m, numbers::accessor<ro> u);
void go(scheduler& s, grid& m, numbers& u) { auto all = s.reduce<both, fold::sum>(m, u); }
