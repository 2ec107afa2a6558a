// rondo::ragged: tasks' contributions to rows of their neighbours are appended to these: declare fold::append

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void push(grid::view m, lists::accessor<rw, fold::sum> u);
void go(scheduler& s, const grid& m, const lists& u) { s.execute<push>(m, u); }
