// rondo::ragged: total() is of rows that the color owns; declare accessor<ro, ...>

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

std::size_t count(grid::view m, lists::accessor<na, ro> u) { return u.total(); }
