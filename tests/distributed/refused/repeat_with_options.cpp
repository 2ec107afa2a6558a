// repeat takes the number of passes
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s) {
  s.repeat({.max = 10}, [] {});
}
