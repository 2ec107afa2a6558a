// rondo::scheduler::from: rows of ragged fields are no value; reduce to one

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void go(scheduler& s, const lists& u) { auto x = s.from(1, u); }
