// a priority is no argument of submit but one of the hints around the function
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit(
    priority::high, [](double& x) { x = 1; }, write(r));
}
