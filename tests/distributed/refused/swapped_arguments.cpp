// this parameter is a view, so the argument has to be the mesh

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void relax(grid::view m, numbers::accessor<rw> u);
void go(scheduler& s, grid& m, numbers& u) { s.execute<relax>(u, m); }
