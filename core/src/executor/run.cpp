// `run`: a body on a worker of the executor, while the caller waits.

#include <rondo/core/executor.hpp>

#include <atomic>
#include <exception>
#include <optional>
#include <thread>

#include "once_more.hpp"
#include "seat.hpp"

namespace rondo {

using detail::engine;

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

namespace {

using detail::engine_of;
using detail::wait_phase;

/// A body that another thread waits for. `released` is set last: until then the waiter keeps
/// this object, and its own executor, alive.
struct root_job : job {
  enum : std::uint32_t { waiting, watched, finished, released };

  root_job(function_ref<void()> b, worker* caller) : job{&run_root}, body(b) {
    if(caller != nullptr)
      by.emplace(detail::body_call{
        engine_of(caller->home()), caller->open_tasks != 0, detail::fiber::here().called_by});
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
      engine_of(w.home()).wake_waiters();
      if(self->by)
        self->by->from.wake_waiters();
    }
    self->state.store(released, std::memory_order_release);
  }

  bool ended(wait_phase phase) {
    std::uint32_t seen = state.load(std::memory_order_acquire);
    if(phase == wait_phase::about_to_sleep && seen == waiting)
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
  worker* const elsewhere = this_worker();
  // What a task of another executor calls is a job of ours, and may rest like any other. On top of that task it
  // would tie the thread to us until it ends, however long it waits, and all that waits below it.
  const bool is_called_by_task = elsewhere != nullptr && can_suspend();
  if(worker* const mine = my_worker(); mine != nullptr && !is_called_by_task) {
    const once_more here(*mine);
    body();
    return;
  }
  const detail::prospects::body under_way(prospects_);
  if(!is_called_by_task && takes_seat()) {
    const seat_guard seat(*this);
    body();
    return;
  }
  root_job root(body, elsewhere);
  const auto ended = [&root](wait_phase phase) { return root.ended(phase); };
  inject(&root);
  help_until(ended, wait_kind::announced);
  while(root.state.load(std::memory_order_acquire) != root_job::released)
    std::this_thread::yield(); // a few instructions away, if the other thread is not interrupted
  if(root.failure != nullptr)
    std::rethrow_exception(root.failure);
}

} // namespace rondo
