// rondo::accessor: neighbours' contributions change a color's own elements

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

void add(grid::view m, numbers::accessor<ro, fold::sum> u);
void go(scheduler& s, grid& m, numbers& u) { s.execute<add>(m, u); }
