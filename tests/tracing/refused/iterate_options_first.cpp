// the body of a flow's iterate comes before the options
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, future<bool> stop) {
  f.iterate({.max = 10}, [&] { return stop; });
}
