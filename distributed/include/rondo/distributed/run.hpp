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
/// worker; RONDO_WORKERS says how many there are, by default as many as this process has cores, or its share
/// of them if it has to share. Returns the exit code: what a task or the program throws ends all ranks
/// with a message.

#include <rondo/core/function_ref.hpp>
#include <rondo/distributed/scheduler.hpp>

namespace rondo {

namespace detail::inline distributed {
int run_program(function_ref<void(scheduler&)> body, const flow_options& options);
}

/// `body(scheduler&)` may return an exit code, the same on all ranks.
template<class Body>
int run(int /*argc*/, char** /*argv*/, Body&& body, flow_options options = {}) {
  int code = 0;
  const auto call = [&](scheduler& s) {
    if constexpr(std::is_void_v<decltype(body(s))>)
      body(s);
    else
      code = body(s);
  };
  const int failed = detail::run_program(call, options);
  return failed != 0 ? failed : code;
}

} // namespace rondo
