// the argument can't be converted to this parameter

#include <rondo/rondo.hpp>

using namespace rondo;

void print(int i, double x);
void go(scheduler& s) { s.execute<print>("a", 1.0); }
