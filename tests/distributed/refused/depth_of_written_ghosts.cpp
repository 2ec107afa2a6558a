// rondo::accessor: only ghosts that are read, ro or still, may be less deep than the halo

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void spread(grid::view m, numbers::accessor<rw, rw, 1> u);
void go(scheduler& s, grid& m, numbers& u) { s.execute<spread>(m, u); }
