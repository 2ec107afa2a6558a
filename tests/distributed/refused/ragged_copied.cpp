// rondo::scheduler::copy: ragged fields are copied by a task

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

void go(scheduler& s, const lists& u, const lists& v) { s.copy(u, v); }
