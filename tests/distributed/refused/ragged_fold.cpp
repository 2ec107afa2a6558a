// rondo::ragged: what tasks contribute to rows of their neighbours is appended to these: declare fold::append

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void push(grid::view m, lists::accessor<rw, fold::sum> u);
void go(scheduler& s, const grid& m, const lists& u) { s.execute<push>(m, u); }
