#pragma once

/// \file
/// Saying what has happened when a task needs more stack than it has, instead of a bare SIGSEGV.

namespace rondo::detail::inline core {

/// From now on an overflow of one of our stacks is told on stderr, and then ends the program as
/// before. Other SIGSEGV go to the handler that there is now: the program's, or that of
/// UCX or MPI.
void tell_stack_overflows();

/// The calling thread takes signals on a stack of their own, if it does not do so already: the one
/// it is on may be full. To be called before it goes over to a stack of ours.
void prepare_for_stack_overflow();

} // namespace rondo::detail::inline core
