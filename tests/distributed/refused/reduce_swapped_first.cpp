// this parameter is a view, so the argument has to be the mesh
#include <rondo/rondo.hpp>

using namespace rondo;
using line = structured<1>;

double sum(line::view, field<double>::accessor<ro>) { return 0; }
void go(scheduler& s, line& m, field<double>& u) {
  (void)s.reduce<sum, fold::sum, priority::high>(u, m);
}
