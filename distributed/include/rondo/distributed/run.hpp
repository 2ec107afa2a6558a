#pragma once

/// \file
/// The beginning and the end of a program on many ranks.
///
/// \code
///   int main(int argc, char** argv) {
///     return rondo::run(argc, argv, [](rondo::scheduler& s) { ... });
///   }
/// \endcode
///
/// Started by mpirun it is one rank of many, else the only one. The calling thread is the first
/// worker; RONDO_WORKERS says how many there are, by default as many as this process has cores, or its part
/// of those that other ranks of the node may use as well. Returns the exit code: what a task or the program throws ends all ranks
/// with a message.
///
/// MPI is begun if nobody has done so, and then ends with the process: `run` may be called again, and MPI
/// be used after it. A program that begins MPI itself asks for MPI_THREAD_SERIALIZED at least, or for
/// MPI_THREAD_MULTIPLE if it has tasks that call MPI in loops, and ends it after the last `run`.

#include <type_traits>
#include <typeinfo>

#include <rondo/core/function_ref.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/transport.hpp>

namespace rondo {

namespace detail::inline distributed {
int run_program(function_ref<int(scheduler&)> body, const flow_options& options,
  const transport::communicator& of);

template<class Body>
int run_on(const transport::communicator& of, Body& body, const flow_options& options) {
  const auto call = [&body](scheduler& s) -> int {
    if constexpr(std::is_void_v<decltype(body(s))>) {
      body(s);
      return 0;
    }
    else
      return body(s);
  };
  return run_program(call, options, of);
}
}

/// `body(scheduler&)` may return an exit code, the same on all ranks. If they return different ones, rank 0 says so, and all ranks
/// get that of the first one that is not 0.
template<class Body>
int run(int /*argc*/, char** /*argv*/, Body&& body, flow_options options = {}) {
  return detail::run_on({}, body, options);
}

/// The same on some of the ranks: those of an MPI_Comm, of a program that has begun MPI itself. All of them
/// call it, and others may do something else meanwhile. The communicator stays the caller's.
template<class Communicator, class Body>
int run(const Communicator& ranks, int /*argc*/, char** /*argv*/, Body&& body,
  flow_options options = {}) {
  return detail::run_on({&ranks, sizeof(Communicator), &typeid(Communicator)}, body, options);
}

} // namespace rondo
