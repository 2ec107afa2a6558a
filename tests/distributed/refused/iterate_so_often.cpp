// the most passes are one of the options: s.iterate({.max = 10}, body)
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s, future<bool> stop) {
  s.iterate(10, [&] { return stop; });
}
