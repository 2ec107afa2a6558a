// push_back

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void push(grid::view m, lists::accessor<ro> u) { u(1, 2).push_back(3); }
