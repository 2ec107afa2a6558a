// files have fields of meshes; for those of another topology write your own

#include <rondo/rondo.hpp>

using namespace rondo;

void go(scheduler& s, topo::index& m, field<double>& u) { s.write("u.vti", m, u); }
