// rondo: files have no rows of ragged fields; let a task write what is wanted of them to a field with a value for each element

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void go(scheduler& s, const grid& m, lists& u) { s.read("u.h5", m, u); }
