// a future is no value yet
#include <rondo/futures.hpp>

using namespace rondo;

bool is_small(const future<double>& r) { return r < 1e-3; }
