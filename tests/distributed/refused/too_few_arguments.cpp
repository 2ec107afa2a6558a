// another number of arguments than it has parameters

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void relax(grid::view m, numbers::accessor<rw> u, double dt);
void go(scheduler& s, grid& m, numbers& u) { s.execute<relax>(m, u); }
