#pragma once

/// \file
/// Of processes that a launcher has started together: which one speaks for all.

namespace rondo::detail::inline core {

/// Whether this is the first of the ranks that a launcher has started, as far as it has told them.
bool is_first_rank();

} // namespace rondo::detail::inline core
