// iterate takes the trace itself, and makes a guard of it for each pass: s.iterate(t, {.max = 10}, body)
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s, trace& t, future<bool> stop) {
  s.iterate({.max = 10}, t.make_guard(), [&] { return stop; });
}
