#pragma once

/// \file
/// A plan may be read from a file: nothing in it is taken for granted.

#include "plan/program.hpp"

namespace rondo::simulate {

/// Throws std::runtime_error if something in it points to what is not there.
void check(const plan& p);

} // namespace rondo::simulate
