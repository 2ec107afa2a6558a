// the body of repeat takes nothing, or a pass_number
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s) {
  s.repeat(10, [](std::size_t) {});
}
