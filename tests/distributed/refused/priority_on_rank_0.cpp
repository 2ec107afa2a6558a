// a priority is for tasks that run once for each color

#include <rondo/rondo.hpp>

using namespace rondo;

void report(double sum);
void go(scheduler& s, double sum) { s.execute<report, priority::low>(sum); }
