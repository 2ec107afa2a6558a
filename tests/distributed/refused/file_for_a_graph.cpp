// files have fields of meshes; for those of another topology read your own

#include <rondo/rondo.hpp>

using namespace rondo;

void go(scheduler& s, topo::index& m, field<double>& u) { s.read("u.vti", m, u); }
