// rondo::ragged: ghosts of ragged fields are not written; declare na, ro or still

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void push(grid::view m, lists::accessor<rw, rw> u);
void go(scheduler& s, const grid& m, const lists& u) { s.execute<push>(m, u); }
