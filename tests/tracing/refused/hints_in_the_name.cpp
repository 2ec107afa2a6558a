// hints go around the function and its name
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit(named("one", hinted({.priority = priority::high}, [](double& x) { x = 1; })), write(r));
}
