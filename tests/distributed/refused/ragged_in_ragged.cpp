// rondo::ragged: rows have values, and no rows; keep the lengths of the inner ones in a second ragged field

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

field<ragged<ragged<double>>> made(const grid& m) { return field<ragged<ragged<double>>>(m); }
