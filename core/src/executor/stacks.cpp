// Which stack a worker runs on: docs/protocols/fiber.md.

#include <rondo/core/executor.hpp>

#include <utility>

#include "waiter.hpp"

namespace rondo {

using detail::engine;
using detail::fiber;
using detail::wait_kind;
using detail::wait_phase;
using detail::waiter;

namespace {
/// Stacks that a worker keeps for itself.
constexpr unsigned most_parked = 64;
} // namespace

// ---- leaving and going back ------------------------------------------------------------------

/// Leaves the stack in use for another one; returns when somebody has gone back to it.
void engine::leave(worker& w, fiber& to, function_ref<void()> once_left) {
  fiber& self = fiber::here();
  w.pack(self);
  self.leave_for(to, once_left);
  detail::worker_here().unpack(self);
}

/// The same for a task or a thread that waits; observers are told of tasks that they have been told of.
void engine::rest(worker& w, fiber& next, function_ref<void()> once_left) {
  const bool is_task = fiber::here().lowest_ != nullptr;
  const detail::known_task* told = nullptr;
  if(is_task && w.observed()) [[unlikely]]
    told = tell_suspend(w);
  leave(w, next, once_left);
  if(told != nullptr) [[unlikely]]
    tell_resume(*told);
}

/// For `pack`, which must not fail half-way.
void worker::prepare_pack() {
  split_deque& mine = forks();
  if(mine.untouched())
    return;
  if(tasks_.make_room(mine.private_size() + mine.published_size()))
    engine().notifier_.notify_one();
  if(spare_forks_ == nullptr)
    spare_forks_ = &engine().fork_deques_.take();
}

/// Takes what belongs to the code on the stack off the worker. `prepare_pack` comes before.
void worker::pack(fiber& f) {
  chains_ = false; // what runs here next is not at its end
  f.open_tasks_ = std::exchange(open_tasks, 0);
  f.moves_ = engine::can_suspend();
  split_deque& mine = forks();
  if(mine.untouched()) {
    mine.note(false);
    f.forks_ = nullptr;
    return;
  }
  // Frames of this stack have open offers. While it is at rest nobody can take them back, so
  // they become jobs like others; the frames will find them stolen.
  while(mine.private_size() != 0 || mine.published_size() != 0)
    if(job* const j = steal_own_fork()) // null: a thief was faster
      push_task(j);
  f.forks_ = &mine;
  use_forks(*std::exchange(spare_forks_, nullptr));
}

void worker::unpack(fiber& f) {
  open_tasks = f.open_tasks_;
  if(f.forks_ != nullptr) {
    split_deque& mine = forks();
    if(spare_forks_ == nullptr)
      spare_forks_ = &mine;
    else
      engine().fork_deques_.keep(mine);
    use_forks(*f.forks_);
  }
  else if(open_tasks != 0)
    tell_thieves_of_task();
  detail::this_thread().forks = &forks();
  if(f.moves_)
    f.began_ = detail::acting_as::top();
}

/// seq_cst: a thief either finds this deque and asks it before it sleeps, or has registered as a
/// sleeper after this, and is found by who publishes. What thieves asked of the other deque
/// before is asked of this one in their name.
void worker::use_forks(split_deque& d) {
  forks_.store(&d, std::memory_order_seq_cst);
  detail::this_thread().forks = &d;
  if(engine().workers_.has_several())
    d.ask();
}

/// For a loop that has found code to go on with: the loop's own stack is not needed meanwhile.
void engine::go_back(worker& w, waiter& ready) {
  if(std::exchange(w.ran_jobs_, false))
    announce_late();
  // A thread's own stack is no task: it may run for long, and makes no offers.
  if(ready.who->lowest_ == nullptr && active() != 1 && w.show_all_tasks())
    notifier_.notify_one();
  fiber& self = fiber::here();
  const auto once_left = [&w, &self] { w.park(self); };
  leave(w, *ready.who, once_left);
}

/// The job that a stack at rest is.
void engine::go_on(job* j, worker& w) {
  fiber& self = fiber::here();
  const auto once_left = [&w, &self] { w.park(self); };
  leave(w, *static_cast<fiber*>(j), once_left);
}

bool engine::can_suspend() {
  const fiber* const f = detail::current_fiber();
  return f != nullptr && f->lowest_ != nullptr && f->began_ == detail::acting_as::top();
}

void engine::suspend(function_ref<bool(fiber&)> arm) {
  worker& w = detail::worker_here();
  fiber& self = *detail::current_fiber();
  w.prepare_pack();
  fiber& next = w.unpark();
  self.run = &go_on;
  w.count_event();
  const auto once_left = [&w, &self, &arm] {
    if(!arm(self))
      w.push_task(&self);
  };
  rest(w, next, once_left);
}

void engine::resume(fiber& f) { enqueue(&f); }

// ---- conditions ------------------------------------------------------------------------------

void worker::add_waiter(waiter& i) {
  i.before = nullptr;
  i.next = waiters_;
  if(waiters_ != nullptr)
    waiters_->before = &i;
  waiters_ = &i;
}

void worker::drop_waiter(waiter& i) {
  if(turn_ == &i)
    turn_ = i.next;
  (i.before != nullptr ? i.before->next : waiters_) = i.next;
  if(i.next != nullptr)
    i.next->before = i.before;
}

/// Takes the newest waiter whose condition holds out of the worker's list, of those that may go on
/// here and now. For a worker that has nothing else to do.
waiter* engine::take_ready(worker& w, wait_phase phase) {
  const auto* const level = detail::acting_as::top();
  for(waiter* i = w.waiters_; i != nullptr; i = i->next)
    if(i->level == level && i->done(phase)) {
      w.drop_waiter(*i);
      return i;
    }
  w.lending_.has_looked_at_all();
  return nullptr;
}

namespace {
constexpr unsigned newest = 3;
} // namespace

/// The same between two jobs, for some waiters: the newest, which are the likeliest, and one of the
/// others, each in its turn.
waiter* engine::take_ready_of_some(worker& w) {
  const auto* const level = detail::acting_as::top();
  const auto is_ready = [level](waiter& i) {
    return i.level == level && i.kind != wait_kind::when_idle && i.done(wait_phase::looking);
  };
  waiter* i = w.waiters_;
  for(unsigned n = 0; n != newest && i != nullptr; ++n, i = i->next)
    if(is_ready(*i)) {
      w.drop_waiter(*i);
      return i;
    }
  waiter* const other = w.turn_ != nullptr ? w.turn_ : i;
  if(other == nullptr)
    return nullptr;
  w.turn_ = other->next;
  if(!is_ready(*other))
    return nullptr;
  w.drop_waiter(*other);
  return other;
}

/// A thread that stops being this worker, or being it at this level, leaves the waits to others.
/// They are waits of tasks, which may go on anywhere: what could not has ended before the thread
/// came to leave.
void engine::leave_orphans(worker& w) {
  if(w.waiters_ == nullptr)
    return;
  const auto* const level = detail::acting_as::top();
  bool any = false;
  for(waiter *i = w.waiters_, *next = nullptr; i != nullptr; i = next) {
    next = i->next;
    if(i->level != level)
      continue;
    w.drop_waiter(*i);
    orphans_.add(*i);
    any = true;
  }
  if(any) // one worker is enough: it adopts all of them
    notifier_.notify_one();
}

void engine::adopt_orphans(worker& w, const detail::acting_as* level) {
  for(waiter *i = orphans_.take_all(), *next = nullptr; i != nullptr; i = next) {
    next = i->next;
    i->level = level;
    w.add_waiter(*i);
  }
}

/// The thread acts as this worker once more, above other executors' workers: tasks that rest below may
/// go on up here.
void worker::lift_waiters(const detail::acting_as& level) {
  for(waiter* i = waiters_; i != nullptr; i = i->next)
    if(i->who->moves_)
      i->level = &level;
}

/// The end of that. Others of this executor may take the tasks over; where there are none they wait for
/// the level below, where this thread looks after them (`find_needy_below`).
void engine::lower_waiters(worker& w) {
  if(active() != 1) {
    leave_orphans(w);
    return;
  }
  const auto* const level = detail::acting_as::top();
  const detail::acting_as* lower = level->below();
  while(&lower->who() != &w)
    lower = lower->below();
  for(waiter* i = w.waiters_; i != nullptr; i = i->next)
    if(i->level == level)
      i->level = lower;
}

/// Some task that rests here, at whatever level, may go on. For the thread that is this worker.
bool worker::has_ready_task() {
  // A condition may ask in its turn what is needed here.
  if(std::exchange(asks_waiters_, true))
    return false;
  bool any = false;
  for(waiter* i = waiters_; i != nullptr && !any; i = i->next)
    any = i->who->moves_ && i->done(wait_phase::looking);
  asks_waiters_ = false;
  return any;
}

// ---- supplies --------------------------------------------------------------------------------

fiber& worker::unpark() {
  if(parked_ == nullptr)
    return engine().stacks_.take();
  fiber& f = *parked_;
  parked_ = f.next_;
  --parked_count_;
  return f;
}

void worker::park(fiber& f) {
  if(parked_count_ == most_parked) {
    engine().stacks_.keep(f);
    return;
  }
  f.next_ = parked_;
  parked_ = &f;
  ++parked_count_;
}

} // namespace rondo
