// returns whether the loop ends with that pass: a future<bool>
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s, future<double> sum) {
  s.iterate({}, [&] { return sum; });
}
