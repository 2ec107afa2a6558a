// a task takes no field but an accessor

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void relax(grid::view m, numbers& u);
void go(scheduler& s, grid& m, numbers& u) { s.execute<relax>(m, u); }
