// the condition of when is a future<bool>
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s, double largest) {
  s.when(largest > 1e3, [] {});
}
