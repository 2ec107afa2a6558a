// How threads wait: as workers if they are or can become one, else blocked.

#include <rondo/core/executor.hpp>

#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include <rondo/core/machine.hpp>
#include <rondo/core/pause.hpp>

#include "once_more.hpp"
#include "told_wait.hpp"
#include "waiter.hpp"

namespace rondo {

using detail::engine;

worker* detail::acting_as::of(const executor& home) {
  for(const acting_as* a = top(); a != nullptr; a = a->below_)
    if(&a->who_.home() == &home)
      return &a->who_;
  return nullptr;
}

bool detail::acting_as::is_also_below() const {
  for(const acting_as* a = below_; a != nullptr; a = a->below_)
    if(&a->who_ == &who_)
      return true;
  return false;
}

/// The worker below rests under us. If it is us, nothing changes; if we are a worker further below, that one acts again.
void detail::acting_as::cover() const {
  if(&below_->who_ == &who_)
    return;
  if(is_also_below())
    who_.home().note_covered(-1);
  below_->who_.home().note_covered(1);
}

void detail::acting_as::uncover() const {
  if(&below_->who_ == &who_)
    return;
  below_->who_.home().note_covered(-1);
  if(is_also_below())
    who_.home().note_covered(1);
}

/// Makes the calling thread worker 0, and gives the seat back. The lock is taken, and is given back here.
class engine::seat_guard {
public:
  explicit seat_guard(engine& ex) : taken_(ex), mine_(ex.workers_[0]), here_(mine_) {
    // Another executor's worker has a core already. And one worker alone has nobody to share one with,
    // but may be one of several processes that all think the first core theirs.
    const core_info* const core = ex.core_for(0);
    if(core != nullptr && here_.below() == nullptr && ex.active() != 1)
      move_this_thread(*core);
  }
  ~seat_guard() {
    // Nobody answers hunger for an empty seat, so nothing may stay on it.
    mine_.note_detour(); // the thread goes back to code of the program's
    taken_.ex.flush_to_queue(mine_);
    taken_.ex.leave_orphans(mine_);
    mine_.looked_at_.store(worker::has_none_to_ask, std::memory_order_relaxed);
    taken_.ex.announce_late();
  }
  seat_guard(const seat_guard&) = delete;
  seat_guard& operator=(const seat_guard&) = delete;

  worker& mine() { return mine_; }

private:
  /// Around the time that the thread is worker 0: so it counts as awake somewhere at any moment.
  struct taken {
    explicit taken(engine& e) : ex(e) {
      ex.seats_a_thread_.store(this_worker() == nullptr, std::memory_order_relaxed);
      ex.seated_.store(true, std::memory_order_seq_cst);
    }
    ~taken() {
      ex.seated_.store(false, std::memory_order_seq_cst);
      ex.seats_a_thread_.store(false, std::memory_order_relaxed);
      ex.seat_.unlock();
      // A thread that found the seat taken and now sleeps may have it. Any of them will do, so one is woken: it takes the
      // seat; or another thread has, which will come here; or it needs none any more, and wakes the next one.
      // seq_cst: after the seat is free; others look at the epoch, and then at the seat.
      ex.idle_epoch_.fetch_add(1, std::memory_order_seq_cst);
      ex.idle_epoch_.notify_one();
    }
    taken(const taken&) = delete;
    taken& operator=(const taken&) = delete;

    engine& ex;
  };

  taken taken_;
  worker& mine_;
  const detail::acting_as here_;
};

/// As the worker whose seat is empty, for a thread that waits for something of this executor.
void engine::lend_to_seat(condition done, time_point until) {
  if(!seat_.try_lock())
    return;
  seat_guard seat(*this);
  const auto began = std::chrono::steady_clock::now();
  lend(seat.mine(), done, until);
  visited_at_.store(began.time_since_epoch().count(), std::memory_order_relaxed);
}

void executor::wait(std::source_location where) {
  if(is_awaited_by_own_task())
    throw std::logic_error(
      "rondo::executor::wait() called inside a task or a node of a graph, which would wait for "
      "itself; use a rondo::scope to wait for tasks in a task");
  const auto all_done = [this](wait_phase) { return quiescent(); };
  {
    const detail::told_wait here(*this, where);
    quiet_waiters_.fetch_add(1, std::memory_order_seq_cst);
    help_until(all_done, when_idle);
    quiet_waiters_.fetch_sub(1, std::memory_order_seq_cst);
  }
  rethrow_failure();
}

/// A call of `run` by a worker of another executor.
struct detail::body_call {
  engine& from;
  const bool is_in_task;
  const body_call* const outer;
};

/// The code that calls is in a task of ours, or was called by one, through `run` of other executors.
bool engine::is_awaited_by_own_task() const {
  // A task that this thread has left at rest below has nothing to do with a task above.
  const worker* const mine = can_suspend() ? this_worker() : my_worker();
  if(mine != nullptr && &mine->home() == this && mine->open_tasks != 0)
    return true;
  for(const auto* c = detail::fiber::here().called_by; c != nullptr; c = c->outer)
    if(&c->from == this && c->is_in_task)
      return true;
  return false;
}

void engine::rethrow_failure() {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(failure_mutex_);
    std::swap(failure, failure_);
  }
  if(failure != nullptr)
    std::rethrow_exception(failure);
}

void engine::wait_on(worker& w, condition done, wait_kind kind, bool prefers_forks) {
  if(kind != when_idle && done(wait_phase::looking))
    return;
  detail::fiber* next = nullptr;
  try {
    w.prepare_pack();
    next = &w.unpark();
  }
  catch(const std::exception&) { // no memory for another stack
    wait_without_help(w, done);
    return;
  }
  detail::waiter me{
    done, kind, prefers_forks, &detail::fiber::here(), detail::acting_as::top(), nullptr, nullptr};
  const auto once_left = [&w, &me] { w.add_waiter(me); };
  rest(w, *next, once_left);
}

void engine::wait_for_fork(condition done) {
  rest_here(detail::worker_here(), done, announced, true);
}

/// For a wait that cannot leave its stack. Searchers and sleepers are counted on to run what they
/// find, so this one is neither; but what it has in stock must not be out of reach.
void engine::wait_without_help(worker& w, condition done) {
  for(unsigned round = 0; !done(wait_phase::looking); ++round) {
    if(w.show_stock())
      notifier_.notify_one();
    if(round < 1000)
      pause();
    else if(round < 2000)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

bool engine::run_if_alone(job* j) {
  if(options_.background || !seat_.try_lock())
    return false;
  seat_guard seat(*this);
  if(!detail::fiber::here().has_room() ||
     !queues_[static_cast<unsigned>(priority::normal)].pop_express(j))
    return false;
  run_on_top(j, seat.mine());
  return true;
}

void engine::raise_and_wake(std::atomic<bool>& flag) {
  const visit here(*this);
  flag.store(true, std::memory_order_seq_cst);
  wake_waiters();
}

void engine::wake_waiters() {
  // A full barrier between the condition and the look at the sleepers.
  idle_epoch_.fetch_add(1, std::memory_order_seq_cst);
  idle_epoch_.notify_all();
  notifier_.notify_all();
}

/// A thread that is no worker, and waits. While there is one, a worker looks now and then whether
/// anything can still go on (`idle`).
class engine::outside_waiter {
public:
  explicit outside_waiter(engine& ex) : ex_(ex) {}
  ~outside_waiter() { end(); }
  outside_waiter(const outside_waiter&) = delete;
  outside_waiter& operator=(const outside_waiter&) = delete;

  void begin() {
    if(std::exchange(waits_, true))
      return;
    ex_.outside_events_.fetch_add(1, std::memory_order_relaxed);
    // If all workers sleep they do so since nobody waited, and none of them looks: one shall.
    // seq_cst: else one that is awake will see that we wait before it sleeps.
    if(ex_.outside_waiters_.fetch_add(1, std::memory_order_seq_cst) == 0 &&
       ex_.notifier_.all_sleep(ex_.active()))
      ex_.notifier_.notify_one();
  }
  void end() {
    if(!std::exchange(waits_, false))
      return;
    ex_.outside_events_.fetch_add(1, std::memory_order_relaxed);
    ex_.outside_waiters_.fetch_sub(1, std::memory_order_relaxed);
  }

private:
  engine& ex_;
  bool waits_ = false;
};

void engine::help_until(condition done, wait_kind kind) {
  worker* const here = this_worker();
  if(here != nullptr && &here->home() == this) {
    rest_here(*here, done, kind);
    return;
  }
  if(kind == when_idle)
    notifier_.meet(); // either a worker that finishes sees that we wait, or we see it finished
  if(here != nullptr) {
    rest_and_lend(this, done, false);
    return;
  }
  outside_waiter me(*this);
  for(bool has_slept = false;; has_slept = true) {
    const auto epoch = idle_epoch_.load(std::memory_order_seq_cst);
    if(done(wait_phase::about_to_sleep)) {
      if(has_slept) // and was woken for the seat, perhaps
        idle_epoch_.notify_one();
      return;
    }
    if(!options_.background && seat_.try_lock()) {
      me.end();
      seat_guard seat(*this);
      wait_on(seat.mine(), done, kind);
      return;
    }
    me.begin();
    outside_sleepers_.fetch_add(1, std::memory_order_relaxed);
    if(kind == polling)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    else
      idle_epoch_.wait(epoch);
    outside_sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }
}

namespace {

/// A body that another thread waits for. `released` is set last: until then the waiter keeps
/// this object, and its own executor, alive.
struct root_job : job {
  enum : std::uint32_t { waiting, watched, finished, released };

  root_job(function_ref<void()> b, worker* caller) : job{&run_root}, body(b) {
    if(caller != nullptr)
      by.emplace(detail::body_call{
        caller->home(), caller->open_tasks != 0, detail::fiber::here().called_by});
  }

  static void run_root(job* j, worker& w) {
    auto* const self = static_cast<root_job*>(j);
    // A body ends on the stack that it has begun on.
    detail::fiber& here = detail::fiber::here();
    const auto* const before = here.called_by;
    here.called_by = self->by ? &*self->by : nullptr;
    try {
      self->body();
    }
    catch(...) {
      self->failure = std::current_exception();
    }
    here.called_by = before;
    if(self->state.exchange(finished, std::memory_order_seq_cst) == watched) {
      w.home().wake_waiters();
      if(self->by)
        self->by->from.wake_waiters();
    }
    self->state.store(released, std::memory_order_release);
  }

  bool ended(engine::wait_phase phase) {
    std::uint32_t seen = state.load(std::memory_order_acquire);
    if(phase == engine::wait_phase::about_to_sleep && seen == waiting)
      state.compare_exchange_strong(seen, watched, std::memory_order_seq_cst);
    return seen >= finished;
  }

  function_ref<void()> body;
  std::optional<detail::body_call> by; ///< If a worker waits.
  std::exception_ptr failure = nullptr;
  std::atomic<std::uint32_t> state{waiting};
};

} // namespace

void engine::run_root(function_ref<void()> body) {
  struct counted {
    std::atomic<std::uint32_t>& count;
    explicit counted(std::atomic<std::uint32_t>& c) : count(c) {
      count.fetch_add(1, std::memory_order_relaxed);
    }
    ~counted() { count.fetch_sub(1, std::memory_order_relaxed); }
  };
  worker* const elsewhere = this_worker();
  // What a task of another executor calls is a job of ours, and may rest like any other. On top of that task it
  // would tie the thread to us until it ends, however long it waits, and all that waits below it.
  const bool is_called_by_task = elsewhere != nullptr && can_suspend();
  if(worker* const mine = my_worker(); mine != nullptr && !is_called_by_task) {
    const once_more here(*mine);
    body();
    return;
  }
  const counted under_way(roots_);
  if(!is_called_by_task && !options_.background && seat_.try_lock()) {
    const seat_guard seat(*this);
    body();
    return;
  }
  root_job root(body, elsewhere);
  const auto ended = [&root](wait_phase phase) { return root.ended(phase); };
  inject(&root);
  help_until(ended, announced);
  while(root.state.load(std::memory_order_acquire) != root_job::released)
    std::this_thread::yield(); // a few instructions away, if the other thread is not interrupted
  if(root.failure != nullptr)
    std::rethrow_exception(root.failure);
}

} // namespace rondo
