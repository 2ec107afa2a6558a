#pragma once

/// \file
/// A task that waits for a flow of its own, and lets out what a launch of that has thrown, fails by the same exception: then
/// messages name both. docs/flow.md#failing
///
/// Any thread. Only what fails comes here.

#include <exception>
#include <string>

namespace rondo::detail::inline tracing {

/// A flow that a task has made is about to throw what that launch has thrown, out of `wait`.
void note_inner_failure(const std::exception_ptr& why, const std::string& launch);
/// The launch that was noted with that exception; empty if there is none. Once.
[[nodiscard]] std::string take_inner_failure(const std::exception_ptr& why);

} // namespace rondo::detail::inline tracing
