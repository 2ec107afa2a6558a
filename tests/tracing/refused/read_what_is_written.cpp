// the function cannot be called with these arguments. read(r) is handed over as const T&
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit([](double& x) { x = 1; }, read(r));
}
