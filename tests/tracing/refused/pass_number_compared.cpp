// a pass_number stands for the number
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.repeat(10, [&](pass_number k) {
    if(k % 2 == 0)
      f.submit([](double& x) { x = 0; }, write(r));
  });
}
