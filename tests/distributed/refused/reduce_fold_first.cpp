// the task comes first, and then what folds its results

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;
double norm(grid::view m, numbers::accessor<ro> u);
void go(scheduler& s, grid& m, numbers& u) { future<double> r = s.reduce<fold::sum, norm>(m, u); }
