// hints go around the function, not beside it
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit([](double& x) { x = 1; }, hinted({.priority = priority::high}), write(r));
}
