#pragma once

/// \file
/// A task that waits for a flow of its own, and lets out what a launch of that has thrown, fails by the same exception: then
/// messages name both. docs/flow.md#failing
///
/// Any thread. Only what fails comes here.

#include <exception>
#include <string>

namespace rondo {
class executor;
}

namespace rondo::detail::inline tracing {

/// A flow that a task has made is about to throw what that launch has thrown, out of `wait`.
void note_inner_failure(const std::exception_ptr& why, const std::string& launch);
/// The launch that was noted with that exception; empty if there is none. Once.
[[nodiscard]] std::string take_inner_failure(const std::exception_ptr& why);

/// A flow ends whose `wait` has not thrown what that launch has. The program is told as of a failure in a future that nobody has asked for, and
/// so its exit code tells: unasked.hpp. The same launch is named once, however many tasks make such a flow.
void tell_unwaited_failure(executor& ex, const std::string& launch, const std::exception_ptr& why);

} // namespace rondo::detail::inline tracing
