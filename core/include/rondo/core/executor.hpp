#pragma once

/// \file
/// The executor: workers that run tasks, steal from each other, and sleep when there is nothing
/// to do.
///
/// \code
///   #include <rondo/core/executor.hpp>
///
///   int main() {
///     rondo::executor ex;                       // one worker per core this process may use
///     for(int i = 0; i < 10; ++i)
///       ex.submit([i] { std::printf("task %d\n", i); });
///     ex.wait();                                // helps, and rethrows what a task threw
///
///     long n = ex.run([] { return fib(35); });  // on a worker: join, for_each, ... inside
///   }
/// \endcode
///
/// *Workers.* An executor of n workers has n - 1 threads; worker 0 is a seat that is taken by
/// whichever thread waits for the executor or calls `run`. So a program with one core has one
/// thread, and nobody waits idly while there is work. `executor_options::background` makes all
/// n workers threads, for programs whose main thread never waits.
///
/// *Waiting.* A worker never waits on top of a task. A task that waits, for stolen parts of a join,
/// a scope, a graph or a future, is left at rest on its stack, and the worker goes on with other
/// jobs on another one. So a waiting task costs no core, and may go on in another thread than
/// before: what it has in `thread_local` variables is the thread's and not its own.
///
/// *Guarantees.* Every submitted task runs exactly once, or is skipped because its stop token
/// said so. An exception of a task is rethrown by the next `wait()`. The destructor finishes all
/// tasks first. Any thread may submit; several executors may live side by side.

#include <exception>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

#include <rondo/core/engine.hpp>
#include <rondo/core/executor_options.hpp>
#include <rondo/core/function_ref.hpp>
#include <rondo/core/poller.hpp>
#include <rondo/core/task.hpp>

namespace rondo {

class graph;
class graph_run;

class executor final : private detail::engine {
public:
  /// Options as RONDO_WORKERS, RONDO_BIND, RONDO_SPIN_US, RONDO_STACK_KIB and RONDO_PROGRESS say,
  /// else the defaults.
  static executor_options default_options();

  /// No executor has more; their numbers are below this.
  static constexpr unsigned most_workers = detail::worker_table::most;

  executor() : executor(default_options()) {}
  explicit executor(unsigned workers);
  explicit executor(executor_options options);
  ~executor();

  /// Runs `f()` some time, on some worker.
  template<class F>
  void submit(F&& f) {
    submit_made<detail::plain_task>(*this, {}, task_options{}, std::forward<F>(f));
  }

  template<class F>
  void submit(task_options options, F&& f) {
    submit_for(*this, options, std::forward<F>(f));
  }

  /// Runs `f()` on a worker, and returns its result or throws its exception. The calling thread
  /// becomes worker 0 for the time, if the seat is free; a worker of this executor just calls f.
  /// A task of another executor waits while it runs, and leaves its worker to others.
  template<class F>
  auto run(F&& f) -> std::invoke_result_t<F&>;

  /// Runs every node of the graph once; returns when all have ended. See graph.hpp.
  void run(graph& g, std::source_location where = std::source_location::current());
  /// Runs the graph n times, one pass after the other.
  void run_n(graph& g, std::size_t n, std::source_location where = std::source_location::current());
  /// Runs the graph again and again, and stops when `done()`, asked after each pass, is true.
  template<class P>
  void run_until(graph& g, P done, std::source_location where = std::source_location::current()) {
    run([&] {
      do
        run(g, where);
      while(!done());
    });
  }
  /// Starts a run and returns at once.
  [[nodiscard]] graph_run start(graph& g);

  /// Returns when everything submitted has finished, and helps until then. Rethrows the first
  /// exception that a task has thrown since the last `wait`. Not to be called inside a
  /// submitted task, a node of a graph or a part of one on offer to other workers, which would wait
  /// for themselves: that is a std::logic_error; use a `scope`.
  void wait(std::source_location where = std::source_location::current());

  /// Helps until `done()` is true. Nobody needs to announce that: it is looked at between
  /// tasks, and at least every millisecond.
  template<class P>
  void wait_until(P done) {
    std::exception_ptr failure; // of done itself: it ends the wait
    const auto look = [&](detail::wait_phase) -> bool {
      try {
        return failure != nullptr || done();
      }
      catch(...) {
        failure = std::current_exception();
        return true;
      }
    };
    begin_external(); // nobody knows what `done` asks
    help_until(look, detail::wait_kind::polling);
    end_external();
    if(failure != nullptr)
      std::rethrow_exception(failure);
  }

  /// From now on `workers` workers, 0 for one per core. Running tasks are finished by the worker
  /// that has begun them. Not to be called from a worker. Refused (std::logic_error) while there is a
  /// `flow` that was made when there was one worker: it relies on that.
  void resize(unsigned workers);

  [[nodiscard]] unsigned workers() const { return active(); }
  /// As the options say; else, whether there are more workers than cores.
  [[nodiscard]] bool shares_cores() const { return engine::shares_cores(); }

  /// The observer is told of everything from now on until `detach`, after which it may die.
  void attach(observer& o);
  void detach(observer& o);

  /// From now on until `detach` idle workers poll it. One at a time.
  void attach(poller& p);
  void detach(poller& p);

private:
  friend class detail::engine;
  friend detail::engine& detail::engine_of(executor& ex);
  friend const detail::engine& detail::engine_of(const executor& ex);
};

/// The executor that free functions use outside of any worker: made when first needed, with
/// default options.
executor& default_executor();

// ------------------------------------------------------------------------------------------

inline detail::engine& detail::engine_of(executor& ex) { return ex; }
inline const detail::engine& detail::engine_of(const executor& ex) { return ex; }
inline detail::engine& worker::engine() const { return detail::engine_of(home_); }

inline worker* detail::engine::my_worker() const {
  const auto& me = static_cast<const executor&>(*this);
  worker* const w = this_worker();
  return w == nullptr || &w->home() == &me ? w : acting_as::of(me);
}

inline void poller::want(executor& ex) { detail::engine_of(ex).post_.want(); }
inline void poller::stop_wanting(executor& ex) { detail::engine_of(ex).post_.stop_wanting(); }

template<class F>
auto executor::run(F&& f) -> std::invoke_result_t<F&> {
  using result = std::invoke_result_t<F&>;
  if(const worker* const w = this_worker(); w != nullptr && &w->home() == this)
    return f();
  if constexpr(std::is_void_v<result>) {
    const auto body = [&f] { f(); };
    run_root(body);
  }
  else if constexpr(std::is_reference_v<result>) {
    std::remove_reference_t<result>* value = nullptr;
    const auto body = [&] { value = &f(); };
    run_root(body);
    return static_cast<result>(*value);
  }
  else {
    std::optional<result> value;
    const auto body = [&] { value.emplace(f()); };
    run_root(body);
    return std::move(*value);
  }
}

} // namespace rondo
