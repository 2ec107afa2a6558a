// the task comes first, and then its priority
#include <rondo/rondo.hpp>

using namespace rondo;
using line = structured<1>;

void clear(line::view, field<double>::accessor<wo>) {}
void go(scheduler& s, line& m, field<double>& u) { s.execute<priority::low, clear>(m, u); }
