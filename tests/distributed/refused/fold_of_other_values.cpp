// rondo::accessor: for ghosts it takes na, ro, wo, rw, still, or a fold for values of this type

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void add(grid::view m, numbers::accessor<rw, fold::minloc> u);
void go(scheduler& s, grid& m, numbers& u) { s.execute<add>(m, u); }
