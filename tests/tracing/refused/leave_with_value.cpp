// leave_if takes the future<bool> that ends the loop, and the futures of what leaves it
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, future<bool> stop) {
  f.iterate([&] { return leave_if(stop, 3.0); });
}
