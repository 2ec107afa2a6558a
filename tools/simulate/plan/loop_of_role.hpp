#pragma once

/// \file
/// Finds the loop in what a rank does.

#include <cstdint>

#include "program.hpp"

namespace rondo::simulate {

/// `whole`: all launches one after the other, with no loop. The longest part that repeats becomes the loop: of equally long ones that of the
/// shortest repetition. A part that comes only once or twice is none.
role with_loop(const role& whole);

/// So many repetitions more as `passes` takes instead of `planned` passes. The program says how many passes there are, and the role how many
/// repetitions: these may be of several passes each, or a pass of several repetitions. Throws std::runtime_error if that does not come out even.
void lengthen(plan& p, std::uint32_t planned, std::uint32_t passes);

} // namespace rondo::simulate
