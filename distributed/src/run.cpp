#include <rondo/distributed/run.hpp>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <source_location>
#include <string>

#include <rondo/core/look.hpp>
#include <rondo/distributed/transports.hpp>
#include <rondo/futures/unasked.hpp>
#include <rondo/observe/by_itself.hpp>

#include "cores/options_for_rank.hpp"
#include "exit_code.hpp"
#include "failure.hpp"
#include "observed/run.hpp"
#include "planned/run.hpp"
#include "watch/stall.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// The program, from its first launch to the end of its last task: its exit code. `task`: the one that has failed, if one has.
int run_body(function_ref<int(scheduler&)> body, scheduler& s, transport& t, std::string& task) {
  try {
    int code = 0;
    try {
      code = body(s);
      s.end_program();
    }
    catch(...) {
      // If a task has failed, this is a consequence of that.
      if(s.has_failed())
        s.wait();
      throw;
    }
    s.wait(std::source_location());
    return code;
  }
  catch(...) {
    task = s.failed_task(std::current_exception());
    if(task.empty()) // it came out of a future
      task = failed_task(s.home(), std::current_exception());
    // Others may wait for what this rank will not do, so nothing is waited for here.
    if(t.ranks() > 1)
      end_all(t, task, std::current_exception());
    throw;
  }
}

/// Ranks are planned one after the other, so nobody has to be asked.
int plan(function_ref<int(scheduler&)> body, const flow_options& options, const plan_wish& what) {
  int code = 0;
  const auto call = [&](scheduler& s) {
    const int of_rank = body(s);
    if(code == 0)
      code = of_rank;
  };
  const int failed = plan_program(call, options, what);
  return failed != 0 ? failed : code;
}

/// Threads of the process, where nobody but the one that calls can have made any. There may be others that have: then it is 0, since those
/// may keep promises.
std::size_t made_since(std::optional<std::size_t> before) {
  const std::optional<std::size_t> now = threads_of_process();
  return before == 1U && now ? *now - *before : 0;
}

} // namespace

int run_program(function_ref<int(scheduler&)> body, const flow_options& options,
  const transport::communicator& of) {
  std::unique_ptr<transport> t;
  std::optional<bystanders> of_libraries;
  stall_watch::clock::duration patience{};
  wishes wanted;
  leave_executors_to_run();
  try {
    if(const auto planned = plan_wish::from_environment())
      return plan(body, options, *planned);
    wanted = wishes::from_environment();
    patience = stall_watch::patience();
    const std::optional<std::size_t> threads_before = threads_of_process();
    t = make_transport(of);
    of_libraries.emplace(made_since(threads_before));
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "rondo: %s\n", without_name(e.what()).c_str());
    return EXIT_FAILURE;
  }
  std::string task;                 // if one has failed
  bool has_unasked_failure = false; // in a future that nobody has looked at
  try {
    observed_run seen(std::move(wanted), *t);
    int code = 0;
    {
      executor ex(options_for_rank(*t));
      tell_unasked(ex, [&](const std::string& what) {
        tell(*t, what);
        has_unasked_failure = true;
      });
      const stall_watch watch(
        ex, patience, [&t](const std::string& what) { tell(*t, what); },
        t->rank() == 0 ? stall_watch::of_waits::all : stall_watch::of_waits::nothing);
      seen.begin(ex);
      try {
        scheduler s(ex, *t, options);
        ex.run([&] { code = run_body(body, s, *t, task); });
        seen.end(s);
      }            // the scheduler ends when those of all ranks do
      catch(...) { // on one rank, or before there were tasks
        seen.end_by_failure(failure_of(task, std::current_exception()));
        throw;
      }
    }
    seen.tell();
    if(has_unasked_failure && code == 0)
      code = EXIT_FAILURE;
    // The last thing: launchers end all ranks as soon as one has ended with such a code.
    return agree_on_exit_code(*t, code);
  }
  catch(...) {
    if(t->ranks() > 1)
      end_all(*t, task, std::current_exception());
    tell_failure(*t, task, std::current_exception());
  }
  return EXIT_FAILURE;
}

} // namespace rondo::detail::inline distributed
