// a region is given with what the function does with it: f.submit(factor, write(u)), or read(u)
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, region<double>& r) {
  f.submit([](double& x) { x = 1; }, r);
}
