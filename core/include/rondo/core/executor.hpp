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
/// *Who works.* An executor of n workers has n - 1 threads; worker 0 is a seat that is taken by
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

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/core/fiber.hpp>
#include <rondo/core/function_ref.hpp>
#include <rondo/core/notifier.hpp>
#include <rondo/core/observer_list.hpp>
#include <rondo/core/poller.hpp>
#include <rondo/core/submission_queue.hpp>
#include <rondo/core/task.hpp>
#include <rondo/core/worker.hpp>

namespace rondo {

struct executor_options {
  /// 0: one for each core this process may use.
  unsigned workers = 0;
  /// Ties each worker thread to one core. A thread that waits, and so becomes worker 0, goes on on the
  /// first one, but stays free.
  bool bind = false;
  /// All workers are threads of their own; see above.
  bool background = false;
  /// The poller has a thread of its own, which costs a core as long as it is wanted. Otherwise workers look
  /// between two tasks; where tasks are long, a message waits for the end of one.
  bool progress_thread = false;
  /// How long an idle worker looks for work before it sleeps in the kernel. Waking a sleeper
  /// costs microseconds on both sides.
  std::chrono::microseconds spin{1000};
  /// When nothing has run for so long, though somebody waits, it is looked whether that is a deadlock.
  std::chrono::milliseconds deadlock_after{1000};
  /// Bytes of a task's stack. Only what is used takes memory.
  std::size_t stack_size = std::size_t{1} << 20U;
  /// Others use the same cores: who looks for work lets them have these between looks, and nobody counts on
  /// all workers running at the same time. Otherwise that is so if there are more workers than cores.
  std::optional<bool> shares_cores{};
  /// With `bind`: the cores for the workers, one by one, by their `core_info::os_index`. Empty: those of `this_machine()`.
  /// Workers for whom there is none left are not tied.
  std::vector<unsigned> cores{};
};

class graph;
class graph_run;
struct core_info;
struct machine;

class executor final : task_owner {
public:
  /// Options as RONDO_WORKERS, RONDO_BIND, RONDO_SPIN_US, RONDO_STACK_KIB and RONDO_PROGRESS say,
  /// else the defaults.
  static executor_options default_options();

  /// No executor has more; their numbers are below this.
  static constexpr unsigned most_workers = 1024;

  executor() : executor(default_options()) {}
  explicit executor(unsigned workers);
  explicit executor(executor_options options);
  ~executor();
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;

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
  void run(graph& g);
  /// Runs the graph n times, one pass after the other.
  void run_n(graph& g, std::size_t n);
  /// Runs the graph again and again, and stops when `done()`, asked after each pass, is true.
  template<class P>
  void run_until(graph& g, P done) {
    run([&] {
      do
        run(g);
      while(!done());
    });
  }
  /// Starts a run and returns at once.
  [[nodiscard]] graph_run start(graph& g);

  /// Returns when everything submitted has finished, and helps until then. Rethrows the first
  /// exception that a task has thrown since the last `wait`. Not to be called inside a
  /// submitted task, a node of a graph or a part of one on offer to other workers, which would wait
  /// for themselves: that is a std::logic_error; use a `scope`.
  void wait();

  /// Helps until `done()` is true. Nobody needs to announce that: it is looked at between
  /// tasks, and at least every millisecond.
  template<class P>
  void wait_until(P done) {
    std::exception_ptr failure; // of done itself: it ends the wait
    const auto look = [&](wait_phase) -> bool {
      try {
        return failure != nullptr || done();
      }
      catch(...) {
        failure = std::current_exception();
        return true;
      }
    };
    begin_external(); // who knows what `done` asks
    help_until(look, polling);
    end_external();
    if(failure != nullptr)
      std::rethrow_exception(failure);
  }

  /// From now on `workers` workers, 0 for one per core. Running tasks are finished by whom they
  /// were begun. Not to be called from a worker. Refused (std::logic_error) while there is a
  /// `flow` that was made when there was one worker: it relies on that.
  void resize(unsigned workers);

  [[nodiscard]] unsigned workers() const { return active_.load(std::memory_order_acquire); }
  /// As the options say; else, whether there are more workers than cores.
  [[nodiscard]] bool shares_cores() const {
    return options_.shares_cores.value_or(workers() > cores_);
  }

  /// The observer is told of everything from now on until `detach`, after which it may die.
  void attach(observer& o);
  void detach(observer& o);

  /// From now on until `detach` idle workers poll it. One at a time.
  void attach(poller& p);
  void detach(poller& p);

  // ---- for the parts above the executor --------------------------------------------------

  /// Workers that are busy for long call this between tasks.
  /// True: something has come.
  bool poll_if_wanted() { return poller_is_wanted() && poll_and_compare(); }
  /// Whether workers have to look between two jobs for what comes from outside: `look_outside`.
  [[nodiscard]] bool looks_outside() const {
    return wanted_.load(std::memory_order_relaxed) != 0 ||
           has_progress_thread_.load(std::memory_order_relaxed);
  }
  /// That look, if it is time for one by the worker's `pace`. Returns true if something has come, which may be in the stock
  /// of the worker.
  bool look_outside(worker& w) { return w.pace.is_time() && look_outside_now(w); }
  /// The same at once.
  bool look_outside_now(worker& w);
  /// Jobs from other threads wait, which no worker has taken.
  [[nodiscard]] bool is_anything_injected() const {
    return !queues_[static_cast<unsigned>(priority::normal)].empty();
  }
  /// Calls the poller, wanted or not, unless somebody else does just now.
  void poll() { poll_as(&poller::poll); }
  /// The same. Returns true if what somebody wanted has come.
  bool poll_and_compare();
  /// As `poll`, where the caller waits for what it brings.
  void poll_patiently() { poll_as(&poller::poll_patiently); }
  /// A worker looks for work: it will soon have found what there is.
  [[nodiscard]] bool anyone_searches() const { return notifier_.anyone_searches(); }
  [[nodiscard]] bool poller_is_wanted() const {
    return wanted_.load(std::memory_order_relaxed) != 0;
  }

  /// As `submit`, for a task that reports to `owner`, whose `task_ended` must count it as
  /// finished on the worker.
  template<class F>
  void submit_for(task_owner& owner, const task_options& options, F&& f) {
    submit_made<detail::task_extras>(
      owner, {options.name, options.stop}, options, std::forward<F>(f));
  }

  /// Something asynchronous has begun or ended that `wait` and the destructor shall wait for.
  void begin_activity();
  void end_activity();

  /// Gives a job to the calling worker, if it is one of this executor, else to all. The caller
  /// sees to it that the job is counted: `begin_activity`.
  void enqueue(job* j);
  void enqueue(job* j, const task_options& options);

  /// Runs `j` here and now if it is the newest job in the stock of the calling worker and the stack
  /// has room: for callers that wait for it and would otherwise leave their stack.
  static bool run_if_next(job* j);
  /// The same for a thread that is no worker, if `j` was the only job submitted from outside.
  bool run_if_alone(job* j);

  /// Makes a job visible to all workers, from any thread.
  void inject(job* j, priority p = priority::normal);

  /// What a wait asks its condition. `looking`: has it come true? `about_to_sleep`: the same,
  /// and from now on whoever makes it true must call `wake_waiters`.
  enum class wait_phase : bool { looking, about_to_sleep };
  using condition = function_ref<bool(wait_phase)>;

  /// Leaves the code that the calling worker runs at rest until the condition holds. It may go on
  /// as another worker.
  void wait_on(worker& w, condition done) { rest_here(w, done, announced); }

  /// The same for the join that calls: its worker prefers forks meanwhile, because somebody
  /// waits for them.
  void wait_for_fork(condition done);

  /// Any thread: helps as a worker if it is or can become one, else blocks. A worker of another
  /// executor rests there, and helps here only where nobody else would do the work.
  void help_until(condition done) { help_until(done, announced); }

  /// The same, but returns false when nothing can run any more, so that the condition will not come
  /// true; or so it seems, where other threads of the program might yet do something about it.
  [[nodiscard]] bool help_while_possible(condition done);

  /// Nobody works for it but threads that wait for it, or call `run`.
  [[nodiscard]] bool has_no_threads() const { return !options_.background && workers() == 1; }

  /// Whether the code that calls may be left at rest and gone on with by any worker. Not so for
  /// code on a thread's own stack, and in a call of one executor inside a task of another.
  static bool can_suspend();

  /// Leaves the code that calls, which `can_suspend`, at rest until somebody calls `resume`.
  /// `arm(f)` tells that somebody; it is called when the code is at rest. If it returns false
  /// there is nothing to wait for any more, and the code goes on.
  void suspend(function_ref<bool(detail::fiber&)> arm);

  /// Any thread: lets code that was left at rest go on.
  void resume(detail::fiber& f);

  /// Between these the calling thread, not a task, waits for what `w` says; for the report of a
  /// deadlock.
  void begin_rest(detail::fiber::waits_for& w) noexcept;
  void end_rest(detail::fiber::waits_for& w) noexcept;

  /// To be called after a condition that somebody may sleep on has come true.
  void wake_waiters();

  /// True: there is one worker, and `resize` is refused until as many calls of the other one.
  bool rely_on_one_worker();
  void stop_relying_on_one_worker() { rely_on_one_.fetch_sub(1, std::memory_order_seq_cst); }
  /// The same for a flag that the condition looks at. Whoever sees it may end the executor, which
  /// waits for this call to return.
  void raise_and_wake(std::atomic<bool>& flag);

  /// Something that a part above the executor keeps for it: made when first needed, told and
  /// destroyed when the executor ends, after the last task.
  class companion {
  public:
    virtual ~companion() = default;
  };
  companion& get_companion(std::unique_ptr<companion> (*make)());

  [[nodiscard]] bool observed() const {
    return workers_[0].load(std::memory_order_relaxed)->observed();
  }

  /// Tells observers of a wait of this thread, which is no worker at the moment.
  void tell_waited(const wait_info& info);

  /// As `help_until`, for a value that may depend on tasks of other executors: when there is nothing
  /// to do here, the thread also helps where nobody else would do the work.
  void help_for_value(condition done);
  /// The same for a thread that does not know of any executor.
  static void help_anybody(condition done);

  /// Calls `f(*ex)` unless the executor has ended, or ends meanwhile.
  static void if_alive(executor* ex, function_ref<void(executor&)> f);

  /// While there are more begun than ended, something outside of this process may still let waiting
  /// tasks go on, so they are not taken for a deadlock.
  void begin_external() { external_.fetch_add(1, std::memory_order_relaxed); }
  void end_external() { external_.fetch_sub(1, std::memory_order_relaxed); }

private:
  friend class worker;
  friend class poller;

  /// How a waiting thread learns that its condition holds: somebody calls `wake_waiters`; it
  /// must look by itself now and then; or it can only be so when there is nothing to run.
  enum wait_kind : unsigned char { announced, polling, when_idle };

  template<class Extras, class F>
  void submit_made(task_owner& owner, Extras extras, const task_options& options, F&& f);

  friend struct detail::waiter;

  /// Which of our workers this thread is, also if it acts for another executor just now.
  worker* my_worker() const {
    worker* const w = this_worker();
    return w == nullptr || &w->home() == this ? w : detail::acting_as::of(*this);
  }

  class seat_guard;
  struct calls_for_help;

  /// For threads that are no workers: the executor does not end while they are inside.
  class guest {
  public:
    explicit guest(executor& ex) : ex_(ex) { ex.guests_.fetch_add(1, std::memory_order_relaxed); }
    ~guest() { ex_.guests_.fetch_sub(1, std::memory_order_release); }
    guest(const guest&) = delete;
    guest& operator=(const guest&) = delete;

  private:
    executor& ex_;
  };

  /// This thread acts for us again, on top of what it does for another executor.
  class once_more {
  public:
    explicit once_more(worker& w) : mine_(w), here_(w) { w.lift_waiters(here_); }
    /// Tasks that wait must not stay at a level that ends.
    ~once_more() { mine_.home().lower_waiters(mine_); }
    once_more(const once_more&) = delete;
    once_more& operator=(const once_more&) = delete;

    [[nodiscard]] worker& mine() const { return mine_; }

  private:
    worker& mine_;
    const detail::acting_as here_;
  };

  void task_failed(worker&) noexcept override;
  void task_ended(worker& w) noexcept override;

  void help_until(condition done, wait_kind kind);
  void wait_on(worker& w, condition done, wait_kind kind, bool prefers_forks = false);
  void rest_here(worker& w, condition done, wait_kind kind, bool prefers_forks = false);
  static void rest_and_lend(executor* wanted, condition done, bool prefers_forks);
  static bool has_work_for(worker& w, const detail::acting_as* level);
  using time_point = std::chrono::steady_clock::time_point;
  void lend(worker& w, condition done, time_point until);
  void lend_to_below(worker& w, condition done, time_point until);
  void lend_to_seat(condition done, time_point until);
  void wait_without_help(worker& w, condition done);
  void run_root(function_ref<void()> body);
  [[nodiscard]] bool is_awaited_by_own_task() const;
  void thread_main(worker& w);

  // Stacks: work.cpp, stacks.cpp
  [[noreturn]] static void loop();
  [[gnu::noinline]] void step(worker& w);
  struct findings {
    job* work;
    detail::waiter* ready;
  };
  findings idle(worker& w);
  findings look_at_once(worker& w);
  findings found(findings f);
  bool poll_some();
  void linger(unsigned pauses) const;
  [[gnu::noinline]] void look_between_jobs(worker& w);
  void start_progress_thread();
  void stop_progress_thread();
  void see_to_progress();
  static bool is_progress_thread();
  void rest_in_poller(std::chrono::nanoseconds waited);
  void poll_as(void (poller::*how)() noexcept);
  bool watch_poller(worker& w);
  [[nodiscard]] bool gives_way() const;
  void rest_watching(std::chrono::nanoseconds waited);
  /// The poller was not wanted, and is now: somebody must be awake for it.
  void call_watcher();
  [[nodiscard]] bool needs_watcher() const;
  void leave_poller(worker& w);
  static void leave(worker& w, detail::fiber& to, function_ref<void()> at_rest);
  void rest(worker& w, detail::fiber& next, function_ref<void()> at_rest);
  void go_back(worker& w, detail::waiter& ready);
  static void go_on(job* j, worker& w);
  static detail::waiter* take_ready(worker& w, wait_phase phase);
  static detail::waiter* take_ready_of_some(worker& w);
  void adopt_orphans(worker& w, const detail::acting_as* level);
  void leave_orphans(worker& w);
  void lower_waiters(worker& w);
  detail::fiber& spare_fiber();
  void keep_fiber(detail::fiber& f);
  split_deque& spare_fork_deque();
  void keep_fork_deque(split_deque& d);
  void delete_fibers();
  class outside_waiter;
  class all_at_rest;
  bool is_stuck() const;
  bool nothing_runs() const;
  bool no_other_threads() const;
  bool look_for_deadlock();
  bool is_news(const detail::fiber::waits_for& w) const;
  void enlist();
  void strike_off();
  void bury();
  static executor* find_needy(const executor* but_not);
  static void visit(executor& ex, condition done, detail::lending& turns);
  static worker* find_needy_below();
  bool others_unfinished() const;
  void ask_everybody(const worker& but_not);
  bool others_hide_any(const worker& but_not) const;
  void announce_idle();
  void announce_late();
  bool quiescent() const;
  bool work_visible() const;
  void flush_to_queue(worker& w);
  void start_worker(unsigned index);
  [[nodiscard]] const core_info* core_for(unsigned worker) const;
  void retire_workers(unsigned from, unsigned to);
  void delete_workers();
  static void run_on_top(job* j, worker& w);
  void put(worker* mine, job* t, const task_options& options);
  void rethrow_failure();
  template<class Tell>
  void tell_observers(Tell&& tell, worker& w);

  executor_options options_;
  const unsigned cores_; ///< That this process may use.
  /// The machine as the workers are tied to it: worker i to the i-th core. Null if they are not.
  const std::unique_ptr<const machine> bound_to_;
  notifier notifier_;
  submission_queue queues_[3]; ///< By priority.
  std::atomic<bool> is_resizing_{false};
  std::atomic<unsigned> rely_on_one_{0};
  std::atomic<unsigned> active_{0}; ///< Workers at work: 0 .. active_ - 1.
  std::atomic<unsigned> made_{0};   ///< Workers that exist; retired ones keep their memory.
  std::atomic<unsigned> stop_from_{most_workers}; ///< Threads from this index on shall end.

  alignas(cache_line) std::atomic<std::uint64_t> outside_submitted_{0};
  std::atomic<std::uint64_t> outside_finished_{0};
  alignas(cache_line) std::atomic<std::uint32_t> quiet_waiters_{
    0}; ///< Who waits for quiescence or for the seat.
  std::atomic<std::uint32_t> idle_epoch_{0};

  std::mutex seat_;
  std::atomic<bool> seated_{false}; ///< Whether the seat is taken, for those who only look.
  std::mutex configuration_;        ///< resize.
  task_depot small_depot_{worker::small_node};
  task_depot large_depot_{worker::large_node};
  std::mutex outside_memory_;
  task_magazine outside_small_{small_depot_};
  task_magazine outside_large_{large_depot_};

  std::mutex stacks_; ///< Guards what follows.
  detail::fiber* spare_fibers_ = nullptr;
  std::size_t spare_fiber_count_ = 0;
  detail::fiber* all_fibers_ = nullptr;
  std::vector<std::unique_ptr<split_deque>> fork_deques_;
  std::vector<split_deque*> spare_fork_deques_;
  std::unique_ptr<companion> companion_;
  detail::waiter* orphans_ = nullptr; ///< Waits whose worker has left.
  std::atomic<bool> has_orphans_{false};

  std::mutex resting_mutex_;
  detail::fiber::waits_for* resting_ = nullptr;    ///< Threads in `get()`.
  std::vector<std::size_t> told_;                  ///< Waits that were printed, as hashes; sorted.
  std::atomic<std::uint32_t> outside_waiters_{0};  ///< Threads that are no workers and wait.
  std::atomic<std::uint32_t> outside_sleepers_{0}; ///< Those of them that sleep.
  std::atomic<std::uint32_t> external_{0};
  std::atomic<std::uint32_t> roots_{0};  ///< Bodies of `run` under way.
  std::atomic<std::uint32_t> guests_{0}; ///< See guest, and find_needy.

  std::unique_ptr<std::atomic<worker*>[]> workers_;
  std::vector<std::thread> threads_;

  std::atomic<poller*> poller_{nullptr};
  std::atomic<bool> polls_{false};        ///< Somebody calls it.
  std::atomic<bool> rests_{false};        ///< The watcher rests in it.
  std::atomic<bool> wakes_{false};        ///< And would be woken by what comes, said the last poll.
  std::atomic<worker*> watches_{nullptr}; ///< Stays awake for it.
  /// So many wait for what it brings. Not in the poller: workers look at it whether there is one or not.
  alignas(cache_line) std::atomic<unsigned> wanted_{0};
  std::atomic<bool> has_progress_thread_{false};
  std::thread progress_thread_; ///< Written by `attach` and `detach`.
  std::atomic<bool> progress_ends_{false};
  std::atomic<std::uint32_t> progress_calls_{
    0}; ///< So often the poller was not wanted, and then was.

  detail::observer_list observers_;

  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

/// The executor that free functions use outside of any worker: made when first needed, with
/// default options.
executor& default_executor();

// ------------------------------------------------------------------------------------------

inline void poller::want(executor& ex) {
  if(ex.wanted_.fetch_add(1, std::memory_order_seq_cst) == 0)
    ex.call_watcher();
}
inline void poller::stop_wanting(executor& ex) {
  ex.wanted_.fetch_sub(1, std::memory_order_relaxed);
}

template<class Tell>
void executor::tell_observers(Tell&& tell, worker& w) {
  observers_.tell(tell, w.in_observer_);
}

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

template<class Extras, class F>
void executor::submit_made(task_owner& owner, Extras extras, const task_options& options, F&& f) {
  using made = detail::task_of<std::decay_t<F>, Extras>;
  worker* const mine = my_worker();
  void* memory = nullptr;
  constexpr bool pooled = worker::fits<made>(worker::large_node);
  if(mine != nullptr)
    memory = mine->allocate<made>();
  else if constexpr(worker::fits<made>(worker::small_node)) {
    const std::lock_guard lock(outside_memory_);
    memory = outside_small_.allocate();
  }
  else if constexpr(worker::fits<made>(worker::large_node)) {
    const std::lock_guard lock(outside_memory_);
    memory = outside_large_.allocate();
  }
  else
    memory = ::operator new(sizeof(made), std::align_val_t{alignof(made)});
  detached_task* t = nullptr;
  try {
    t = new(memory) made(owner, std::move(extras), std::forward<F>(f));
  }
  catch(...) {
    // A pooled node of a body whose copy throws is lost until the executor ends.
    if constexpr(!pooled)
      ::operator delete(memory, std::align_val_t{alignof(made)});
    throw;
  }
  begin_activity();
  put(mine, t, options);
}

} // namespace rondo
