// rondo: files have fields and particles; a single value, such as a time, is kept in a field over topo::global

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;

void go(scheduler& s, const grid& m, const field<double>& u, double time) {
  s.write("u.vti", m, u, time);
}
