// repeat takes the number of passes, and then the body
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.repeat([&] { f.submit([](double& x) { x += 1; }, write(r)); });
}
