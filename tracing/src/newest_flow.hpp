#pragma once

#include <rondo/core/fiber.hpp>

namespace rondo {
class flow;

namespace detail::inline tracing {

/// The flow that was made last, by the code on that stack, of those still there: in the place that stacks have for
/// flows.
inline void*& newest_flow(fiber& f) { return f.kept(fiber::place::newest_flow); }

} // namespace detail::inline tracing
} // namespace rondo
