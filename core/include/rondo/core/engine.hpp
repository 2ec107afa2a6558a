#pragma once

/// \file
/// What is behind an executor: for the parts above it, which make jobs of their own and wait in their own ways. They get it by
/// `engine_of`; programs need `executor` only.
///
/// A map of its parts is in docs/design.md, "The executor, file by file".

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include <rondo/core/activities.hpp>
#include <rondo/core/attendant.hpp>
#include <rondo/core/clock.hpp>
#include <rondo/core/executor_options.hpp>
#include <rondo/core/fiber.hpp>
#include <rondo/core/first_failure.hpp>
#include <rondo/core/fork_deque_pool.hpp>
#include <rondo/core/function_ref.hpp>
#include <rondo/core/notifier.hpp>
#include <rondo/core/observer_list.hpp>
#include <rondo/core/orphan_list.hpp>
#include <rondo/core/outside_sleepers.hpp>
#include <rondo/core/poll_post.hpp>
#include <rondo/core/prospects.hpp>
#include <rondo/core/resting_threads.hpp>
#include <rondo/core/size_lock.hpp>
#include <rondo/core/stack_pool.hpp>
#include <rondo/core/submission_queue.hpp>
#include <rondo/core/task.hpp>
#include <rondo/core/task_node.hpp>
#include <rondo/core/visits.hpp>
#include <rondo/core/wait_condition.hpp>
#include <rondo/core/waits_for.hpp>
#include <rondo/core/worker.hpp>
#include <rondo/core/worker_seat.hpp>
#include <rondo/core/worker_table.hpp>

namespace rondo {

struct core_info;
struct machine;

namespace detail::inline core {

struct stillness;

class engine;
/// The one door to what is behind an executor.
[[nodiscard]] engine& engine_of(executor& ex);
[[nodiscard]] const engine& engine_of(const executor& ex);

class engine : protected task_owner {
public:
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // ---- jobs ------------------------------------------------------------------------------

  /// As `executor::submit`, for a task that reports to `owner`, whose `task_ended` must count it as
  /// finished on the worker.
  template<class F>
  void submit_for(task_owner& owner, const task_options& options, F&& f) {
    submit_made<task_extras>(owner, {options.name, options.stop}, options, std::forward<F>(f));
  }

  /// Something asynchronous has begun or ended that `wait` and the destructor shall wait for.
  void begin_activity();
  void end_activity();

  /// Gives a job to the calling worker, if it is one of this executor, else to all. The caller
  /// sees to it that the job is counted: `begin_activity`.
  void enqueue(job* j);
  void enqueue(job* j, const task_options& options);

  /// Makes a job visible to all workers, from any thread.
  void inject(job* j, priority p = priority::normal);
  /// Jobs from other threads wait, which no worker has taken.
  [[nodiscard]] bool is_anything_injected() const {
    return !queues_[static_cast<unsigned>(priority::normal)].empty();
  }

  /// Runs `j` here and now if it is the newest job in the stock of the calling worker and the stack
  /// has room: for callers that wait for it and would otherwise leave their stack.
  static bool run_if_next(job* j);
  /// The same for a thread that is no worker, if `j` was the only job submitted from outside.
  bool run_if_alone(job* j);

  // ---- waiting ---------------------------------------------------------------------------

  /// Leaves the code that the calling worker runs at rest until the condition holds. It may go on
  /// as another worker.
  void wait_on(worker& w, wait_condition done) { rest_here(w, done, wait_kind::announced); }

  /// The same for the join that calls: its worker prefers forks meanwhile, because somebody
  /// waits for them.
  void wait_for_fork(wait_condition done);

  /// Any thread: helps as a worker if it is or can become one, else blocks. A worker of another
  /// executor rests there, and helps here only where nobody else would do the work.
  void help_until(wait_condition done) { help_until(done, wait_kind::announced); }

  /// The same. If nothing can run any more that is told as `w` says, and `w` may be given up, which alone does not end the wait.
  void help_until(wait_condition done, waits_for& w) { help_until(done, w, wait_kind::announced); }

  /// As without `w`, but returns false when nothing can run any more, so that the condition will not come
  /// true; or so it seems, where other threads of the program might yet do something about it.
  [[nodiscard]] bool help_while_possible(wait_condition done);

  /// To be called after a condition that somebody may sleep on has come true.
  void wake_waiters();
  /// Raises a flag that the condition looks at, and wakes. A thread that sees it may end the executor: the end
  /// waits for this call to return.
  void raise_and_wake(std::atomic<bool>& flag);

  /// Whether the code that calls may be left at rest and gone on with by any worker. Not so for
  /// code on a thread's own stack, and in a call of one executor inside a task of another.
  static bool can_suspend();
  /// Leaves the code that calls, which `can_suspend`, at rest until somebody calls `resume`.
  /// `arm(f)` tells that somebody; it is called when the code is at rest. If it returns false
  /// there is nothing to wait for any more, and the code goes on.
  void suspend(function_ref<bool(fiber&)> arm);
  /// Any thread: lets code that was left at rest go on.
  void resume(fiber& f);

  /// A thread, not a task, waits for a value, as `w` says, in the name of `helped`, or of no executor if that is
  /// null or has ended. It helps, there and wherever nobody else would do the work; and if `helped` ends, it
  /// waits on.
  static void wait_for_value(executor* helped, wait_condition done, waits_for& w);

  /// While there are more begun than ended, something outside of this process may still let waiting
  /// tasks go on, so they are not taken for a deadlock.
  void begin_external() { prospects_.begin_external(); }
  void end_external() { prospects_.end_external(); }

  // ---- messages --------------------------------------------------------------------------

  [[nodiscard]] bool poller_is_wanted() const { return post_.is_wanted(); }
  /// Workers that are busy for long call this between tasks. Returns true if something has come.
  bool poll_if_wanted() { return poller_is_wanted() && post_.poll_and_compare(); }
  bool poll_and_compare() { return post_.poll_and_compare(); }
  void poll() { post_.poll(); }
  void poll_patiently() { post_.poll_patiently(); }
  /// Whether workers have to look between two jobs for what comes from outside: `look_outside`.
  [[nodiscard]] bool looks_outside() const { return post_.is_wanted() || post_.has_thread(); }
  /// Looks outside if it is time by the worker's `pace`. Returns true if something has come, which may be in the
  /// stock of the worker.
  bool look_outside(worker& w) { return w.pace.is_time() && look_outside_now(w); }
  /// The same at once.
  bool look_outside_now(worker& w);

  // ---- what it is ------------------------------------------------------------------------

  /// Nobody works for it but threads that wait for it, or call `run`.
  [[nodiscard]] bool has_no_threads() const { return !options_.background && active() == 1; }
  /// A worker looks for work: it will soon have found what there is.
  [[nodiscard]] bool anyone_searches() const { return notifier_.anyone_searches(); }

  /// Returns true if there is one worker, and then `resize` is refused until as many calls of the other one.
  bool rely_on_one_worker() {
    return size_lock_.rely_on_one([this] { return active() == 1; });
  }
  void stop_relying_on_one_worker() { size_lock_.stop_relying(); }

  /// Something that a part above the executor keeps for it: made when first needed, told and
  /// destroyed when the executor ends, after the last task.
  class companion {
  public:
    virtual ~companion() = default;
  };
  companion& get_companion(std::unique_ptr<companion> (*make)());

  [[nodiscard]] bool observed() const { return observers_.are_any(); }
  /// Tells observers something: by any thread; and by the owner of a source that was added, if the note of that says
  /// so.
  void tell(function_ref<void(observer&)> tell_one);
  template<class Tell>
  void tell(event_source& s, Tell&& tell_one) {
    observers_.tell(tell_one, s);
  }
  void add(event_source& s) { observers_.add(s); }
  void remove(event_source& s) { observers_.remove(s); }

  // ---- among executors -------------------------------------------------------------------

  /// The executor that this is behind.
  [[nodiscard]] executor& self();

  /// Calls `f(*ex)` unless the executor has ended, or ends meanwhile.
  static void if_alive(executor* ex, function_ref<void(executor&)> f);

  [[nodiscard]] detail::visits& visits() { return visits_; }

  /// There are jobs on show, or tasks at rest, and an empty seat.
  [[nodiscard]] bool needs_hand() const;
  /// Something was begun here and has not ended.
  [[nodiscard]] bool is_unfinished() const;
  /// One of our workers acts for another executor, on top of what it does here; or that is over.
  void note_covered(int change) { prospects_.note_covered(change); }

protected:
  explicit engine(executor_options options);
  virtual ~engine();

  /// Runs `body` on a worker of ours, and returns when it has ended.
  void run_root(function_ref<void()> body);

  [[nodiscard]] unsigned active() const { return active_.load(std::memory_order_acquire); }
  [[nodiscard]] bool shares_cores() const {
    return options_.shares_cores.value_or(active() > cores_);
  }

  void help_until(wait_condition done, wait_kind kind);
  void help_until(wait_condition done, waits_for& w, wait_kind kind);
  /// Until all that was begun has ended. Returns why that will not be, or null. In the report: the place, or else "the end of an executor ".
  report_of_deadlock wait_until_quiet(const std::source_location& where, const char* subject);

  template<class Extras, class F>
  void submit_made(task_owner& owner, Extras extras, const task_options& options, F&& f);

private:
  friend class rondo::executor;
  friend class rondo::worker;
  friend class rondo::poller;
  friend class observed_task;
  friend struct stillness;
  friend struct waiter;

  class seat_guard;
  class once_more;
  class outside_waiter;
  struct calls_for_help;
  using time_point = std::chrono::steady_clock::time_point;

  /// Worker 0 is a seat,
  [[nodiscard]] bool has_seat() const { return !options_.background; }
  /// and nobody has taken it.
  [[nodiscard]] bool has_empty_seat() const {
    return has_seat() && !seat_.is_taken(std::memory_order_acquire);
  }
  /// The caller makes a `seat_guard` then.
  [[nodiscard]] bool takes_seat() { return has_seat() && seat_.try_take(this_worker() != nullptr); }

  /// Which of our workers this thread is, also if it acts for another executor just now.
  [[nodiscard]] worker* my_worker() const;

  void task_failed(worker&) noexcept override;
  void task_ended(worker& w) noexcept override;

  // Waiting: wait.cpp, lend.cpp, value.cpp, possible.cpp
  void wait_on(worker& w, wait_condition done, wait_kind kind, bool prefers_forks = false);
  void rest_here(worker& w, wait_condition done, wait_kind kind, bool prefers_forks = false);
  static void rest_and_lend(engine* wanted, wait_condition done, bool prefers_forks);
  static bool has_work_for(worker& w, const acting_as* level);
  static worker* find_needy_below();
  void lend(worker& w, wait_condition done, time_point until);
  void lend_to_below(worker& w, wait_condition done, time_point until);
  void lend_to_seat(wait_condition done, time_point until);
  void help_for_value(wait_condition done);
  static void help_anybody(wait_condition done);
  static void work_at(engine& ex, wait_condition done, lending& turns);
  void wait_without_help(worker& w, wait_condition done);
  [[nodiscard]] bool is_awaited_by_own_task() const;

  // What a worker does next: work.cpp
  [[noreturn]] static void loop();
  [[gnu::noinline]] void step(worker& w);
  struct findings {
    job* work;
    waiter* ready;
  };
  findings idle(worker& w);
  findings look_at_once(worker& w);
  findings found(findings f);
  bool poll_some();
  void linger(unsigned pauses) const;
  [[gnu::noinline]] void look_between_jobs(worker& w);
  void ask_everybody(const worker& but_not);
  [[nodiscard]] bool others_hide_any(const worker& but_not) const;
  [[nodiscard]] bool work_visible() const;
  void announce_idle();
  void announce_late();
  [[nodiscard]] bool quiescent() const { return activities_.have_all_ended(workers_); }

  // Stacks, and who may go on: stacks.cpp
  static void leave(worker& w, fiber& to, function_ref<void()> once_left);
  void rest(worker& w, fiber& next, function_ref<void()> once_left);
  void go_back(worker& w, waiter& ready);
  static void go_on(job* j, worker& w);
  static waiter* take_ready(worker& w, wait_phase phase);
  static waiter* take_ready_of_some(worker& w);
  void adopt_orphans(worker& w, const acting_as* level);
  void leave_orphans(worker& w);
  void lower_waiters(worker& w);

  // Coming and going: life.cpp
  void start_worker(unsigned index);
  [[nodiscard]] const core_info* core_for(unsigned worker) const;
  void retire_workers(unsigned from, unsigned to);
  void flush_to_queue(worker& w);
  void thread_main(worker& w);
  void end_threads();
  void tell_failure() noexcept;

  // Jobs: submit.cpp
  static void run_on_top(job* j, worker& w);
  void put(worker* mine, job* t, const task_options& options);

  template<class Tell>
  void tell_observers(Tell&& tell, worker& w) {
    observers_.tell(tell, w.in_observer_);
  }
  const known_task* tell_suspend(worker& w);
  void tell_resume(const known_task& task);

  const executor_options options_;
  const unsigned cores_; ///< The number of cores that this process may use.
  /// The machine as the workers are tied to it: worker i to the i-th core. Null if they are not.
  const std::unique_ptr<const machine> bound_to_;
  notifier notifier_;
  submission_queue queues_[3]; ///< By priority.
  std::atomic<bool> ends_{false};
  size_lock size_lock_;
  std::atomic<unsigned> active_{0};                     ///< Workers at work: 0 .. active_ - 1.
  std::atomic<unsigned> stop_from_{worker_table::most}; ///< Threads from this index on shall end.

  activities activities_;
  outside_sleepers outside_sleepers_;
  worker_seat seat_;

  task_depots depots_;
  outside_stock outside_stock_{depots_};
  stack_pool stacks_;
  fork_deque_pool fork_deques_;
  orphan_list orphans_;
  resting_threads resting_;

  prospects prospects_;
  detail::visits visits_;

  struct thread_list;
  std::unique_ptr<thread_list> threads_;
  worker_table workers_;
  poll_post post_{notifier_};
  observer_list observers_;

  std::mutex companion_mutex_;
  std::unique_ptr<companion> companion_;
  std::unique_ptr<attendant> attendant_; ///< Null if no part wants to be with this one.
  first_failure failure_;                ///< Of tasks that `wait` is to tell of.
};

template<class Extras, class F>
void engine::submit_made(task_owner& owner, Extras extras, const task_options& options, F&& f) {
  using made = task_of<std::decay_t<F>, Extras>;
  worker* const mine = my_worker();
  void* const memory = mine != nullptr ? mine->allocate<made>() : outside_stock_.allocate<made>();
  detached_task* t = nullptr;
  try {
    t = new(memory) made(owner, std::move(extras), std::forward<F>(f));
  }
  catch(...) {
    // A pooled node of a body whose copy throws is lost until the executor ends.
    if constexpr(!fits_node<made>(large_node))
      ::operator delete(memory, std::align_val_t{alignof(made)});
    throw;
  }
  begin_activity();
  put(mine, t, options);
}

} // namespace detail::inline core
} // namespace rondo
