// a priority comes third, behind the task and what folds its results
#include <rondo/rondo.hpp>

using namespace rondo;
using line = structured<1>;

double sum(line::view, field<double>::accessor<ro>) { return 0; }
void go(scheduler& s, line& m, field<double>& u) {
  (void)s.reduce<sum, priority::high, fold::sum>(m, u);
}
