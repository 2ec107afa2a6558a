// hints go around the function and its name
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit([](double& x) { x = 1; }, write(r), launch_hints{.priority = priority::high});
}
