// the options of the scheduler's iterate come before the body
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s, future<bool> stop) {
  s.iterate([&] { return stop; }, {.max = 10});
}
