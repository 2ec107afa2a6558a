// returns whether the loop ends with that pass: a future<bool>
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.iterate([&] { f.submit([](double& x) { x = 1; }, write(r)); });
}
