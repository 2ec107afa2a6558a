#include <rondo/distributed/run.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

#include <rondo/core/machine.hpp>
#include <rondo/distributed/transports.hpp>

#include "failure.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// How many ranks there are on this node, as whoever started them says.
unsigned ranks_here() {
  for(const char* const name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
    if(const char* const text = std::getenv(name)) {
      const std::string_view s = text;
      unsigned n = 0;
      if(std::from_chars(s.data(), s.data() + s.size(), n).ec == std::errc() && n != 0)
        return n;
    }
  return 1;
}

/// Each rank's share of the node. Ranks that are bound to a few cores may still share them with others:
/// mpirun binds more than two to sockets.
executor_options options_here() {
  executor_options o = executor::default_options();
  const unsigned usable = this_machine().usable;
  const auto online = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  const bool is_bound = this_machine().cores.size() < online;
  const unsigned node = is_bound ? online : usable;
  const unsigned ranks = ranks_here();
  const unsigned share = std::clamp(node / ranks, 1U, usable);
  if(o.workers == 0)
    o.workers = share;
  o.shares_cores = o.workers > share || ranks * o.workers > node;
  return o;
}

} // namespace

int run_program(function_ref<void(scheduler&)> body, const flow_options& options,
  const transport::communicator& of) {
  std::unique_ptr<transport> t;
  try {
    t = make_transport(of);
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "rondo: %s\n", without_name(e.what()).c_str());
    return EXIT_FAILURE;
  }
  std::string task; // if one has failed
  try {
    executor ex(options_here());
    scheduler s(ex, *t, options);
    ex.run([&] {
      try {
        try {
          body(s);
          s.end_program();
        }
        catch(...) {
          // If a task has failed, this is a consequence of that.
          if(s.has_failed())
            s.wait();
          throw;
        }
        s.wait();
      }
      catch(...) {
        task = s.failed_task(std::current_exception());
        // Others may wait for what this rank will not do, so nothing is waited for here.
        if(t->ranks() > 1)
          end_all(*t, task, std::current_exception());
        throw;
      }
    });
    return EXIT_SUCCESS; // the scheduler ends when those of all ranks do
  }
  catch(...) {
    if(t->ranks() > 1)
      end_all(*t, task, std::current_exception());
    tell_failure(*t, task, std::current_exception());
  }
  return EXIT_FAILURE;
}

} // namespace rondo::detail::inline distributed
