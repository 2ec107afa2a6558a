// hints go around the function
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit(
    {.priority = priority::high}, [](double& x) { x = 1; }, write(r));
}
