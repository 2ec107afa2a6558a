// read-only location

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void set(grid::view m, lists::accessor<ro> u) { u(1, 2)[0] = 3; }
