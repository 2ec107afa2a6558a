// hints go around the function, not beside it
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit(
    hinted({.priority = priority::high}), [](double& x) { x = 1; }, write(r));
}
