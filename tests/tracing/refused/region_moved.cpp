// rondo: a region can't be copied or moved
#include <utility>

#include <rondo/flow.hpp>

using namespace rondo;

void move(region<double>& r) { region<double> other(std::move(r)); }
