// the result of a task on rank 0 is sent to all ranks as bytes

#include <string>

#include <rondo/rondo.hpp>

using namespace rondo;

std::string name(int i);
void go(scheduler& s) { s.execute<name>(1); }
