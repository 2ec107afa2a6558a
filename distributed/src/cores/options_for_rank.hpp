#pragma once

/// \file
/// The options of a rank's executor, by what the ranks of its node may use: docs/protocols/cores.md.

#include <rondo/core/executor.hpp>
#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

/// All ranks call it, when nothing is under way.
executor_options options_for_rank(transport& t);

} // namespace rondo::detail::inline distributed
