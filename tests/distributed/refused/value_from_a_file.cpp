// rondo: files are read into fields and particles that may be changed; a single value is kept in a field over topo::global

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;

void go(scheduler& s, const grid& m, const field<double>& u) { s.read("u.vti", m, u); }
