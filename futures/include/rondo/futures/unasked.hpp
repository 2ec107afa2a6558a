#pragma once

/// \file
/// Failures of tasks whose futures nobody has asked: what is said of them when their executor ends, and to whom.

#include <exception>
#include <string>

#include <rondo/core/kept_function.hpp>

namespace rondo {

class executor;

namespace detail::inline futures {

/// What there is to say of the failures of that executor's tasks that nobody has looked at, `say` is told, when the executor ends, and not
/// stderr: one text for each, without "rondo: ".
void tell_unasked(executor& ex, kept_function<void(const std::string&)> say);

/// Tells of another failure that nobody has asked for, in the same way but at once: `what`, and `why` it has failed. The same `what` is told once;
/// when the executor ends, how many more there were.
void tell_unasked_now(executor& ex, const std::string& what, const std::string& why);

/// "task 'relax', launched at main.cpp:12" if a task of that executor has thrown this into its future, "the function given to then at
/// main.cpp:12" if that has; else "".
std::string failed_task(executor& ex, const std::exception_ptr& thrown);

} // namespace detail::inline futures
} // namespace rondo
