// the argument is a future of something else than this parameter of the task
#include <rondo/rondo.hpp>

using namespace rondo;

void print(double x);

void launch(scheduler& s, future<int> n) { s.execute<print>(n); }
