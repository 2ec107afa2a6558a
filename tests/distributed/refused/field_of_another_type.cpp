// this parameter is an accessor, so the argument has to be a field of the same type

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void relax(grid::view m, field<int>::accessor<rw> u);
void go(scheduler& s, grid& m, numbers& u) { s.execute<relax>(m, u); }
