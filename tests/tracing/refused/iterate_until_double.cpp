// returns whether the loop ends with that pass: a future<bool>
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.iterate([&] { return f.submit([](const double& x) { return x / 2; }, read(r)); });
}
