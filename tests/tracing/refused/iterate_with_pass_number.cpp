// pass_number is for repeat
#include <rondo/flow.hpp>

using namespace rondo;

void launch(flow& f, future<bool> stop) {
  f.iterate([&](pass_number) { return stop; });
}
