// rondo::accessor: for ghosts it takes na, ro, wo, rw, still, or a fold for values of this type

#include <array>

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using pairs = field<std::array<double, 2>>;

void lower(grid::view m, pairs::accessor<rw, fold::min> u);
void go(scheduler& s, grid& m, pairs& u) { s.execute<lower>(m, u); }
