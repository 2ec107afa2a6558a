// the number of passes comes before the body: s.repeat(10, body)
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s) {
  s.repeat([] {}, 10);
}
