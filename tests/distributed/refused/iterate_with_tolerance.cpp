// iterate has no option .tol: when the loop ends the body says, by what it returns
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s, future<bool> stop) {
  s.iterate({.tol = 1e-8, .max = 10}, [&] { return stop; });
}
