#pragma once

/// \file
/// Executors of programs without ranks are observed as RONDO_OBSERVE says, with no word in the program. docs/observing.md.

namespace rondo::detail::inline observe {

/// Executors that are made from here on are none of our business: the run of all ranks, which calls this, is observed as a whole.
/// Executors that there are already are told of no more.
void leave_executors_to_run();

} // namespace rondo::detail::inline observe
