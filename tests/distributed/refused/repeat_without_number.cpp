// repeat takes the number of passes, and then the body
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s) {
  s.repeat([] {});
}
