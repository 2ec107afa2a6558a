#pragma once

/// \file
/// One worker of an executor: its deques, its stock of task memory, its counters. What users
/// need of it is `this_worker()`.

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <rondo/core/clock.hpp>
#include <rondo/core/fiber.hpp>
#include <rondo/core/job.hpp>
#include <rondo/core/lending.hpp>
#include <rondo/core/neglect_pace.hpp>
#include <rondo/core/observed_task.hpp>
#include <rondo/core/poll_pace.hpp>
#include <rondo/core/split_deque.hpp>
#include <rondo/core/submission_queue.hpp>
#include <rondo/core/task_node.hpp>
#include <rondo/core/this_thread.hpp>

namespace rondo {

class executor;
class worker;

namespace detail::inline core {

class engine;
struct stillness;
struct waiter;

/// Counts something that one thread adds to and others read: no read-modify-write needed.
class owned_counter {
public:
  void add_one() {
    // Release: who sees the count sees what was counted.
    value_.store(value_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_acquire); }

private:
  std::atomic<std::uint64_t> value_{0};
};

/// What a thread is: a worker, and below that perhaps a worker of other executors (when one of
/// those runs a body that calls `run` of this one). Lives on the stack.
class acting_as {
public:
  explicit acting_as(worker& w) : who_(w), below_(top()) {
    if(below_ != nullptr)
      cover();
    become(this);
  }
  ~acting_as() {
    become(below_);
    if(below_ != nullptr)
      uncover();
  }
  acting_as(const acting_as&) = delete;
  acting_as& operator=(const acting_as&) = delete;

  /// Which worker of `home` this thread is, however deep below; or null.
  static worker* of(const executor& home);

  static const acting_as* top() { return this_thread().top; }
  [[nodiscard]] const acting_as* below() const { return below_; }
  [[nodiscard]] worker& who() const { return who_; }

private:
  static void become(const acting_as* top);
  // What an executor knows of those of its workers that act for others just now.
  void cover() const;
  void uncover() const;
  [[nodiscard]] bool is_also_below() const;

  worker& who_;
  const acting_as* const below_;
};

} // namespace detail::inline core

class worker {
public:
  worker(executor& home, unsigned index, detail::task_depots& depots);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  [[nodiscard]] unsigned index() const { return index_; }
  [[nodiscard]] executor& home() const { return home_; }

  // ---- forks: jobs on the stack of the worker that waits for them ------------------------

  //
  // A stack that is left with open offers takes the deque along that they are in, so joins hold
  // on to the deque, `detail::current_forks()`, and not to the worker.

  /// Offers a job to thieves until `take_fork` is called with the slot returned here.
  /// Offers nest: the last one pushed is the first one taken. If there is no room the job is not
  /// offered, and the slot is the deque's `refused_slot`.
  static job** push_fork(split_deque& forks, detail::fork_job* j) {
    job** const slot = forks.push(j);
    return slot != nullptr ? slot : push_fork_slow(forks, j);
  }

  /// Takes the offer back. Returns false if a thief has the job; it will complete it.
  static bool take_fork(split_deque& forks, job** slot) {
    return forks.take(slot) || take_fork_slow(forks, slot);
  }

  // ---- tasks -----------------------------------------------------------------------------

  void push_task(job* j) {
    if(tasks_.push(j) == nullptr) [[unlikely]]
      push_task_slow(j);
  }

  /// The next job from this worker's own stock, or null.
  job* pop_task();
  /// For the worker itself: whether there may be any.
  [[nodiscard]] bool has_task() const {
    return tasks_.private_size() != 0 || tasks_.published_size() != 0;
  }

  /// The worker runs `j` next if the job that calls leaves its stack, so that its other work goes
  /// on; nobody else sees it.
  void set_next(job* j) { next_ = j; }
  /// Returns false if the job has left its stack meanwhile, and `j` has gone on elsewhere.
  [[nodiscard]] bool is_next(const job* j) const { return next_ == j; }
  /// Takes it back, if that is so.
  bool take_next(const job* j) {
    if(next_ != j)
      return false;
    next_ = nullptr;
    return true;
  }

  /// Looks everywhere, own stock included.
  job* find_job();

  /// What comes before this worker's own stock: jobs of high priority, and those meant for it. For jobs that run others.
  job* find_prior();

  /// Takes by force what other workers have and don't show, because they run something long. For a
  /// worker that has looked in vain for long.
  job* find_hidden();

  /// There seems to be something for `find_hidden` here.
  [[nodiscard]] bool hides_any() const {
    return tasks_.hides_any() || forks_.load(std::memory_order_acquire)->hides_any();
  }

  /// Looks at what other workers offer, own forks included: what a waiting join may run.
  job* find_fork();

  /// Jobs meant for this worker, from anywhere. Others take them only when they are idle.
  submission_queue& inbox(unsigned priority) { return inboxes_[priority]; }
  [[nodiscard]] bool has_mail() const {
    return !inboxes_[0].empty() || !inboxes_[1].empty() || !inboxes_[2].empty();
  }

  // ---- memory and counting ---------------------------------------------------------------

  /// Memory for one object of type T: a pooled node, or the heap if T is larger than two lines.
  template<class T>
  void* allocate() {
    if constexpr(detail::fits_node<T>(detail::small_node))
      return small_.allocate();
    else if constexpr(detail::fits_node<T>(detail::large_node))
      return large_.allocate();
    else
      return ::operator new(sizeof(T), std::align_val_t{alignof(T)});
  }

  template<class T>
  void deallocate(T* p) {
    if constexpr(detail::fits_node<T>(detail::small_node))
      small_.deallocate(p);
    else if constexpr(detail::fits_node<T>(detail::large_node))
      large_.deallocate(p);
    else
      ::operator delete(p, std::align_val_t{alignof(T)});
  }

  /// Somebody observes this worker's executor.
  [[nodiscard]] bool observed() const { return observed_.load(std::memory_order_relaxed); }
  /// Its next task does not come at once: it has waited, or done something else. See task_info::comes_at_once.
  void note_detour() { ended_at_ = events() - 2; }

  /// Runs `body`; if somebody observes, as the task that `info()` says.
  template<class Info, class Body>
  void observe(Info&& info, Body&& body) {
    if(observed()) [[unlikely]] {
      const detail::observed_task here(*this, info);
      body();
    }
    else {
      body();
    }
  }

  /// Runs the body of a fork that was stolen.
  template<class Body>
  void run_part(const detail::fork_job& fork, Body&& body) {
    const bool is_in_task = fork.is_in_task;
    if(is_in_task)
      begin_task();
    observe([] { return task_info{task_info::kind_type::fork, ""}; }, body);
    if(is_in_task)
      detail::worker_here().end_task(); // the body may have waited, and moved
  }

  /// Any thread: asks this worker to show thieves something.
  void ask() {
    // seq_cst: see use_forks.
    forks_.load(std::memory_order_seq_cst)->ask();
    tasks_.ask();
  }

  /// Shows thieves something of what is in stock here, if they have nothing to take. Returns
  /// whether it did.
  bool show_stock();
  /// All tasks, before the thread goes back to code of the program's that may run for long and comes to none of them.
  bool show_all_tasks() { return tasks_.publish_all(); }

  // Used by the executor.
  /// The calling job calls `f()` and ends. The first job that f makes ready is run next by this
  /// worker, without a visit to the deque, so a chain stays where it is.
  template<class F>
  void at_end_of_job(F&& f) {
    chains_ = true;
    f();
    detail::worker_here().chains_ = false; // destructors of values may have waited, and moved
  }

  /// Something that `executor::wait` waits for begins on the stack in use. Since it waits for that, it
  /// must not be called inside.
  void begin_task() {
    if(open_tasks++ == 0)
      tell_thieves_of_task();
  }
  /// It ends. It may have waited, and moved: so this is asked of the worker that is here then.
  void end_task() {
    if(--open_tasks == 0)
      forks().note(false);
  }

  split_deque& tasks() { return tasks_; }
  split_deque& forks() { return *forks_.load(std::memory_order_seq_cst); }
  detail::owned_counter submitted, finished;
  unsigned open_tasks = 0; ///< Begun and not ended on the stack in use.
  detail::poll_pace pace;  ///< Of its looks at messages.

private:
  friend class executor;
  friend class detail::engine;
  friend struct detail::stillness;
  friend class detail::observed_task;

  /// What is behind `home()`.
  [[nodiscard]] detail::engine& engine() const;

  static job** push_fork_slow(split_deque& forks, job* j);
  static bool take_fork_slow(split_deque& forks, job** slot);
  void prepare_pack();
  [[gnu::noinline]] void pack(detail::fiber& f);
  [[gnu::noinline]] void unpack(detail::fiber& f);
  void use_forks(split_deque& d);
  detail::fiber& unpark();
  void park(detail::fiber& f);
  void add_waiter(detail::waiter& i);
  void drop_waiter(detail::waiter& i);
  void lift_waiters(const detail::acting_as& level);
  [[nodiscard]] bool has_ready_task();
  job* steal_own_fork();
  static job* steal_fork(split_deque& forks);
  /// Jobs stolen from now on are parts of a task. If there are offers already, those are none: then
  /// nothing is said, lest one of them be taken for a part of this task.
  void tell_thieves_of_task() {
    if(split_deque& mine = forks(); mine.untouched())
      mine.note(true);
  }
  /// A job begins, or the last of a row of them has ended; or code that waited goes on.
  void count_event() {
    events_.store(events_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t events() const { return events_.load(std::memory_order_relaxed); }
  /// Since the observed task before there was at most the begin of a job. See task_info::comes_at_once.
  [[nodiscard]] bool comes_at_once() const { return events() - ended_at_ <= 1; }
  void note_observed_end() { ended_at_ = events(); }
  static constexpr std::int64_t has_none_to_ask = std::numeric_limits<std::int64_t>::max();
  job* find_neglected();
  job* oldest_task();
  void push_task_slow(job* j);
  job* steal_tasks(worker& victim);
  template<class Attempt>
  job* each_victim(Attempt&& attempt);
  template<class Attempt, class IndexAt>
  job* each_victim_of(unsigned count, IndexAt&& index_at, Attempt&& attempt);
  std::uint32_t random();

  executor& home_;
  const unsigned index_;
  std::uint32_t random_state_;
  detail::neglect_pace neglect_;
  bool oldest_first_ = false; ///< Which of two that may starve is looked at first.
  bool ran_own_ = false;      ///< The last job was from the own stock: now the inbox's turn.
  /// Workers by distance, if workers are bound to cores; else distances mean nothing.
  std::vector<std::vector<unsigned>> near_first_;

  task_magazine small_, large_;
  std::atomic<bool> observed_{false};
  std::atomic<bool> in_observer_{false};
  std::uint64_t numbered_tasks_ = 0;              ///< Observed ones that no flow has launched.
  std::uint64_t ended_at_ = 0 - std::uint64_t{2}; ///< Of events_: when the last of them ended.

  submission_queue inboxes_[3]; ///< By priority.

  split_deque first_forks_;
  std::atomic<split_deque*> forks_{&first_forks_}; ///< Of the stack in use.
  split_deque* spare_forks_ = nullptr;
  split_deque tasks_;

  // Stacks not in use, and waits whose conditions this worker looks at.
  detail::fiber* parked_ = nullptr;
  unsigned parked_count_ = 0;
  job* next_ = nullptr;  ///< What to run before anything else; nobody else sees it.
  unsigned chained_ = 0; ///< Jobs in a row that were `next_`.
  bool chains_ = false;  ///< A job is at its end: what it makes ready may be `next_`.
  unsigned linger_ = 0;  ///< Pauses between two looks for work of others.
  std::chrono::steady_clock::time_point found_at_; ///< When a search had success.
  bool ran_jobs_ = false;                          ///< Since quiescence was last announced.
  detail::waiter* waiters_ = nullptr;              ///< The newest.
  detail::waiter* turn_ = nullptr;       ///< The next one to look at, when only some of them are.
  bool asks_waiters_ = false;            ///< On behalf of a level above.
  std::atomic<std::uint64_t> events_{0}; ///< See count_event.
  /// When the conditions that only this worker asks were last asked, in vain; for the look for deadlocks.
  std::atomic<std::int64_t> looked_at_{has_none_to_ask};
  std::chrono::steady_clock::time_point watch_at_; ///< When this worker looks for a deadlock next.
  detail::lending lending_;                        ///< Of work for other executors.
};

/// The worker that runs the calling code, if any.
///
/// \code
///   if(auto w = rondo::this_worker())
///     fmt::print("worker {} of {}\n", w->index(), w->home().workers());
/// \endcode
inline worker* this_worker() { return detail::current_worker(); }

inline void detail::acting_as::become(const acting_as* top) {
  thread_record& t = this_thread();
  t.top = top;
  t.who = top != nullptr ? &top->who_ : nullptr;
  t.forks = t.who != nullptr ? &t.who->forks() : nullptr;
}

} // namespace rondo
