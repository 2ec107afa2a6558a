// hints are given by name: hinted({.priority = priority::high}, f)
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit(hinted(priority::high, [](double& x) { x = 1; }), write(r));
}
