// a pass_number stands for the number
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.repeat(10, [&](pass_number k) {
    f.submit([](double& x, std::size_t pass) { x = double(pass); }, write(r), k + 1);
  });
}
