#pragma once

/// \file
/// What users are told when a program fails, and the end of all ranks.

#include <exception>
#include <string>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

/// Prints one line: the rank, if there are several, and what is said.
void tell(const transport& t, const std::string& what);

/// Prints one line: the rank, if there are several; the task that has thrown it, if it is one, as
/// flow::failed_launch says; and what it says.
void tell_failure(const transport& t, const std::string& task, const std::exception_ptr& why);

/// Also ends all ranks. If several threads come here the first one tells.
[[noreturn]] void end_all(transport& t, const std::string& task, const std::exception_ptr& why);

/// Our own messages begin with our name already, or with that of a function: what follows "rondo: " or "rondo::".
std::string without_name(std::string what);

} // namespace rondo::detail::inline distributed
