// rondo::ragged: tasks don't contribute to rows of their neighbours; write them into rows of own elements that the neighbours read

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void push(grid::view m, lists::accessor<rw, fold::sum> u);
void go(scheduler& s, const grid& m, const lists& u) { s.execute<push>(m, u); }
