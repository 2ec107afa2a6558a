// the body of repeat takes nothing, or a pass_number
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.repeat(
    10, [&](std::size_t pass) { f.submit([pass](double& x) { x = double(pass); }, write(r)); });
}
