// How threads wait: as workers if they are or can become one, else blocked.

#include <rondo/core/executor.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <source_location>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <rondo/core/deadlock_error.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/core/told_wait.hpp>
#include <rondo/core/waits_for.hpp>

#include "seat.hpp"
#include "waiter.hpp"

namespace rondo {

using detail::engine;
using detail::wait_kind;
using detail::wait_phase;

void executor::wait(std::source_location where) {
  if(is_awaited_by_own_task())
    throw std::logic_error(
      "rondo::executor::wait() called inside a task or a node of a graph, which would wait for "
      "itself; use a rondo::scope to wait for tasks in a task");
  detail::report_of_deadlock why_not;
  {
    const detail::told_wait here(*this, where);
    why_not = wait_until_quiet(where, "");
  }
  if(why_not != nullptr)
    throw deadlock_error(*why_not);
  failure_.rethrow();
}

namespace {
/// A wait until an executor has nothing to do any more.
struct quiet_wait : detail::waits_for {
  quiet_wait(engine& ex, const std::source_location& w, const char* s, detail::wait_condition d)
      : waits_for{w,
          [](const waits_for& i, bool) {
            return std::string(static_cast<const quiet_wait&>(i).subject) +
                   "waits for all tasks of an executor, and of those left some wait for futures "
                   "that they were launched with";
          },
          [](const waits_for& i) {
            return static_cast<const quiet_wait&>(i).done(wait_phase::looking);
          },
          [](waits_for& i, const detail::report_of_deadlock& report) {
            static_cast<quiet_wait&>(i).why_not = report;
            return true;
          },
          [](waits_for& i) {
            auto& self = static_cast<quiet_wait&>(i);
            self.of.raise_and_wake(self.is_over);
          }},
        of(ex), subject(s), done(d) {
    is_last_resort = true; // tasks that are left use the executor
  }
  engine& of;
  const char* const subject;
  const detail::wait_condition done;
  detail::report_of_deadlock why_not;
  std::atomic<bool> is_over{false};
};
} // namespace

detail::report_of_deadlock engine::wait_until_quiet(
  const std::source_location& where, const char* subject) {
  const auto all_done = [this](wait_phase) { return quiescent(); };
  quiet_wait me(*this, where, subject, all_done);
  const auto done = [&](wait_phase phase) {
    return me.is_over.load(std::memory_order_seq_cst) || all_done(phase);
  };
  activities_.begin_wait();
  help_until(done, me, wait_kind::when_idle);
  activities_.end_wait();
  return me.why_not;
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
    // If all workers sleep they do so since nobody waited, and none of them looks: one shall.
    if(ex_.prospects_.begin_wait() && ex_.notifier_.all_sleep(ex_.active()))
      ex_.notifier_.notify_one();
  }
  void end() {
    if(std::exchange(waits_, false))
      ex_.prospects_.end_wait();
  }

private:
  engine& ex_;
  bool waits_ = false;
};

void engine::help_until(wait_condition done, wait_kind kind) {
  worker* const here = this_worker();
  if(here != nullptr && &here->home() == this) {
    rest_here(*here, done, kind);
    return;
  }
  if(kind == wait_kind::when_idle)
    notifier_.meet(); // either a worker that finishes sees that we wait, or we see it finished
  if(here != nullptr) {
    rest_and_lend(this, done, false);
    return;
  }
  outside_waiter me(*this);
  for(bool has_slept = false;; has_slept = true) {
    const auto epoch = outside_sleepers_.look();
    if(done(wait_phase::about_to_sleep)) {
      if(has_slept) // and was woken for the seat, perhaps
        outside_sleepers_.wake_another();
      return;
    }
    if(takes_seat()) {
      me.end();
      seat_guard seat(*this);
      wait_on(seat.mine(), done, kind);
      return;
    }
    me.begin();
    prospects_.begin_sleep();
    if(kind == wait_kind::polling)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    else
      outside_sleepers_.sleep(epoch);
    prospects_.end_sleep();
  }
}

/// It is listed when its worker, or thread, is about to sleep for the first time, or has asked for a while since it polls for
/// messages: what does not take long costs nothing.
void engine::help_until(wait_condition done, detail::waits_for& w, wait_kind kind) {
  constexpr unsigned a_while = 1000;
  unsigned asked = 0;
  bool is_listed = false;
  const auto done_or_listed = [&](wait_phase phase) {
    if(done(phase))
      return true;
    const bool takes_long = phase == wait_phase::about_to_sleep || ++asked == a_while;
    if(takes_long && !std::exchange(is_listed, true))
      resting_.begin(w);
    return false;
  };
  help_until(done_or_listed, kind);
  if(is_listed)
    resting_.end(w);
}

void engine::wait_on(worker& w, wait_condition done, wait_kind kind, bool prefers_forks) {
  if(kind != wait_kind::when_idle && done(wait_phase::looking))
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

void engine::wait_for_fork(wait_condition done) {
  rest_here(detail::worker_here(), done, wait_kind::announced, true);
}

/// For a wait that cannot leave its stack. Searchers and sleepers are counted on to run what they
/// find, so this one is neither; but what it has in stock must not be out of reach.
void engine::wait_without_help(worker& w, wait_condition done) {
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

void engine::raise_and_wake(std::atomic<bool>& flag) {
  const detail::visits::one here(visits_);
  flag.store(true, std::memory_order_seq_cst);
  wake_waiters();
}

void engine::wake_waiters() {
  // A full barrier between the condition and the look at the sleepers.
  outside_sleepers_.wake_all();
  notifier_.notify_all();
}

} // namespace rondo
