// read-only location

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void relax(grid::view m, numbers::accessor<ro> u) { u(1, 1) = 2; }
void go(scheduler& s, grid& m, numbers& u) { s.execute<relax>(m, u); }
