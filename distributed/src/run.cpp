#include <rondo/distributed/run.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <rondo/distributed/transports.hpp>
#include <rondo/observe/by_itself.hpp>

#include "cores/exchange.hpp"
#include "failure.hpp"
#include "observed/run.hpp"
#include "planned/run.hpp"
#include "watch/stall.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// The program, from its first launch to the end of its last task. `task`: the one that has failed, if one has.
void run_body(function_ref<void(scheduler&)> body, scheduler& s, transport& t, std::string& task) {
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
    if(t.ranks() > 1)
      end_all(t, task, std::current_exception());
    throw;
  }
}

} // namespace

int run_program(function_ref<void(scheduler&)> body, const flow_options& options,
  const transport::communicator& of) {
  std::unique_ptr<transport> t;
  stall_watch::clock::duration patience{};
  wishes wanted;
  leave_executors_to_run();
  try {
    if(const auto plan = plan_wish::from_environment())
      return plan_program(body, options, *plan);
    wanted = wishes::from_environment();
    patience = stall_watch::patience();
    t = make_transport(of);
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "rondo: %s\n", without_name(e.what()).c_str());
    return EXIT_FAILURE;
  }
  std::string task; // if one has failed
  try {
    observed_run seen(std::move(wanted), *t);
    {
      executor ex(options_for_rank(*t));
      const stall_watch watch(ex, patience, [&t](const std::string& what) { tell(*t, what); });
      seen.begin(ex);
      try {
        scheduler s(ex, *t, options);
        ex.run([&] { run_body(body, s, *t, task); });
        seen.end(s);
      }            // the scheduler ends when those of all ranks do
      catch(...) { // on one rank, or before there were tasks
        seen.end_by_failure(failure_of(task, std::current_exception()));
        throw;
      }
    }
    seen.tell();
    return EXIT_SUCCESS;
  }
  catch(...) {
    if(t->ranks() > 1)
      end_all(*t, task, std::current_exception());
    tell_failure(*t, task, std::current_exception());
  }
  return EXIT_FAILURE;
}

} // namespace rondo::detail::inline distributed
