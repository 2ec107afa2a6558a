// the condition of when is a future<bool>: s.when(r.then([](double x) { return x > 1e3; }), body)
#include <rondo/rondo.hpp>

using namespace rondo;

void launch(scheduler& s, future<double> r) {
  s.when(r, [] {});
}
