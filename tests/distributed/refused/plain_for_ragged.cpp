// rondo: this parameter is an accessor, so the argument has to be a field of the same type of values

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void add(grid::view m, lists::accessor<rw> u);
void go(scheduler& s, const grid& m, const field<double>& u) { s.execute<add>(m, u); }
