// the options of the scheduler's iterate come before the body
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s, trace& t, future<bool> stop) {
  s.iterate({.max = 10}, t, [&] { return stop; });
}
