// What workers do: find work, look for it, sleep; and noticing that there is none left.

#include <rondo/core/executor.hpp>

#include <algorithm>
#include <thread>
#include <utility>

#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/pause.hpp>

#include "deadlock_watch.hpp"
#include "waiter.hpp"

namespace rondo {

using detail::deadlock_watch;
using detail::engine;

/// What every stack of ours does, all its life. The code may come back from any call as another
/// worker, so it remembers none.
void engine::loop() {
  detail::fiber::here().began_ = detail::acting_as::top();
  for(;;) {
    worker& w = detail::worker_here();
    w.home().step(w);
  }
}

namespace {
/// Links of a chain that a worker runs before it looks around.
constexpr unsigned most_chained = 256;
/// A worker that has work looks for waits without a worker each time it has run so many jobs.
constexpr unsigned between_looks_at_orphans = 64;
/// Jobs, where these are short. Long ones: see poll_pace.
constexpr unsigned between_polls = 16;
} // namespace

void engine::step(worker& w) {
  job* j = std::exchange(w.next_, nullptr);
  if(j != nullptr) {
    // A chain looks into no stock: what lies there is for workers that look for work meanwhile.
    if(notifier_.anyone_searches() && w.has_task())
      w.show_stock();
    if(++w.chained_ == most_chained) { // a long chain keeps nobody waiting
      w.chained_ = 0;
      w.push_task(j);
      j = nullptr;
    }
  }
  if(w.events() % between_looks_at_orphans == 0 && orphans_.any()) [[unlikely]]
    adopt_orphans(w, detail::acting_as::top());
  if(looks_outside())
    look_between_jobs(w);
  if(j == nullptr && w.waiters_ != nullptr) {
    if(detail::waiter* const ready = take_ready_of_some(w)) {
      go_back(w, *ready);
      return;
    }
    if(w.waiters_->prefers_forks)
      j = w.find_fork();
  }
  if(j == nullptr)
    j = w.find_job();
  if(j == nullptr) {
    const findings f = idle(w);
    if(f.ready != nullptr) {
      go_back(w, *f.ready);
      return;
    }
    j = f.work;
  }
  w.ran_jobs_ = true;
  w.count_event();
  j->run(j, w);
}

void engine::look_between_jobs(worker& w) {
  // Where a thread sees to it, `find_job` looks first at what that has brought.
  if((w.pace.is_time() || w.events() % between_polls == 0) && !post_.has_thread()) {
    w.note_detour();
    poll_and_compare();
  }
}

namespace {
/// A search that found so much work, or less, was not worth its price.
constexpr auto worth_a_look = std::chrono::microseconds(2);
constexpr unsigned most_linger = 64;
} // namespace

/// Between two looks at what others offer. Each look takes the cache line of an offer away from its
/// owner, which may be about to take it back. So a worker that has looked in vain for long, or has found next
/// to nothing, looks less often, but still at once at what is submitted.
void engine::linger(unsigned pauses) const {
  pause();
  for(unsigned i = 0; i != pauses; ++i) {
    for(const auto& queue : queues_)
      if(!queue.empty())
        return;
    pause();
  }
}

/// Returns true if something has come.
bool engine::poll_some() {
  // A worker that waits for a message waits for little else; but others may need the core.
  const unsigned in_a_row = shares_cores() ? 1 : 4;
  for(unsigned i = 0; i != in_a_row; ++i)
    if(poll_if_wanted())
      return true;
  return false;
}

/// A few looks, where somebody waits for messages: those are often there in less than a microsecond.
engine::findings engine::look_at_once(worker& w) {
  const unsigned looks = shares_cores() ? 2 : 16;
  for(unsigned i = 0; i != looks && poller_is_wanted(); ++i) {
    if(!poll_some())
      continue;
    if(detail::waiter* const ready = take_ready(w, wait_phase::looking))
      return {nullptr, ready};
    if(job* const j = w.find_job())
      return {j, nullptr};
  }
  return {nullptr, nullptr};
}

/// Looks for a job until it finds one, or until the condition of somebody who waits comes true.
engine::findings engine::idle(worker& w) {
  using clock = std::chrono::steady_clock;
  constexpr auto tight = std::chrono::microseconds(50);
  constexpr std::chrono::nanoseconds nap = std::chrono::microseconds(500);
  constexpr auto brief = std::chrono::microseconds(5);
  notifier_.begin_search();
  if(std::exchange(w.ran_jobs_, false))
    w.count_event(); // the end of the last one
  announce_idle();
  // Work that is about to come is worth less than the price of looking at a clock.
  if(const findings f = look_at_once(w); f.work != nullptr || f.ready != nullptr)
    return found(f);
  auto since = clock::now();
  auto now = since;
  auto patience = deadlock_watch::first_patience(options_);
  auto forced_at = since - tight; // when we last looked for what is hidden
  // The work found last time has not been worth the way: look less often.
  w.linger_ = since - w.found_at_ < worth_a_look ? std::min(2 * w.linger_ + 1, most_linger) : 0;
  for(unsigned round = 1;; ++round) {
    if(orphans_.any()) [[unlikely]]
      adopt_orphans(w, detail::acting_as::top());
    if(detail::waiter* const ready = take_ready(w, wait_phase::looking)) {
      post_.leave(w);
      return found({nullptr, ready});
    }
    if(job* const j = w.find_job()) {
      w.found_at_ = clock::now();
      post_.leave(w);
      return found({j, nullptr});
    }
    // If something has come, what waited for it may be in our own stock: look there before lingering,
    // or giving way to others.
    if(poll_some())
      continue;
    if(round % 8 == 0)
      now = clock::now();
    if(shares_cores()) {
      std::this_thread::yield();
      now = clock::now();
    }
    const bool makes_room = post_.gives_way();
    if(now - since < (makes_room ? brief : tight)) {
      linger(poller_is_wanted() ? 0 : w.linger_);
      if(round % 8 == 0 && w.linger_ != most_linger)
        ++w.linger_;
      continue;
    }
    // Workers that have work have been asked for it all the time.
    if(now - forced_at >= tight) {
      forced_at = now;
      if(job* const j = w.find_hidden()) {
        w.found_at_ = clock::now();
        post_.leave(w);
        return found({j, nullptr});
      }
    }
    if(!makes_room && now - since < options_.spin) {
      std::this_thread::yield(); // more threads than cores: let the others work
      continue;
    }
    if(post_.watch(w)) {
      post_.rest_watching(now - since);
      continue;
    }
    const notifier::ticket ticket = notifier_.prepare_sleep();
    ask_everybody(w);
    if(orphans_.any(std::memory_order_seq_cst)) [[unlikely]]
      adopt_orphans(w, detail::acting_as::top());
    detail::waiter* const ready = take_ready(w, wait_phase::about_to_sleep);
    job* j = ready != nullptr ? nullptr : w.find_job();
    bool hidden = false;
    if(ready == nullptr && j == nullptr && detail::has_heavy_fence && active() != 1) {
      // Jobs pushed before this are seen; a later push finds that we have asked.
      detail::heavy_fence();
      j = w.find_hidden();
      hidden = j == nullptr && others_hide_any(w); // its owner, or another thief, is at it
    }
    // seq_cst: either we see that the poller is wanted, or the code that wants it sees that we sleep.
    const bool is_needed = post_.needs_watcher();
    if(ready != nullptr || j != nullptr || is_needed || hidden) {
      notifier_.cancel_sleep();
      if(ready == nullptr && j == nullptr) {
        if(hidden)
          std::this_thread::yield();
        continue;
      }
      post_.leave(w);
      return found({j, ready});
    }
    if(w.observed()) [[unlikely]]
      tell_observers([&](observer& o) { o.park(w.index()); }, w);
    bool polls = false;
    for(const detail::waiter* i = w.waiters_; i != nullptr; i = i->next)
      polls = polls || i->kind == wait_kind::polling;
    // seq_cst: see prospects::begin_wait.
    const bool watches = seat_.is_taken() || prospects_.waits(std::memory_order_seq_cst) != 0;
    w.looked_at_.store(
      polls ? now.time_since_epoch().count() : worker::has_none_to_ask, std::memory_order_relaxed);
    // Not all workers at the same time: one that looks for a deadlock wants to see the others asleep.
    const auto watch_after = patience + patience / 16 * (w.random() % 8);
    const bool woken = notifier_.sleep(ticket, polls     ? nap
                                               : watches ? watch_after
                                                         : clock::duration::max());
    if(w.observed()) [[unlikely]]
      tell_observers([&](observer& o) { o.wake(w.index()); }, w);
    since = now = clock::now();
    if(woken) {
      patience = deadlock_watch::first_patience(options_);
      w.watch_at_ = now + patience;
      continue;
    }
    since -= options_.spin; // this was no wake-up for work: do not spin again
    if(now >= w.watch_at_) {
      patience = deadlock_watch::here().look(*this, patience);
      w.watch_at_ = now + patience;
    }
  }
}

/// Ends a search. Producers rely on searchers to find what they make, and waits without a worker on those who adopt
/// them. So the last one that leaves sends another one if there is more to find, or nobody to look after the poller.
engine::findings engine::found(findings f) {
  // seq_cst: either this sees what was left, or the thread that left it sees nobody search.
  if(notifier_.end_search() &&
     (work_visible() || orphans_.any(std::memory_order_seq_cst) || post_.needs_watcher()))
    notifier_.notify_one();
  return f;
}

bool engine::work_visible() const {
  for(const auto& queue : queues_)
    if(!queue.empty())
      return true;
  return workers_.any([](worker& w) {
    return w.tasks().published_size() != 0 || w.forks().published_size() != 0 || w.has_mail() ||
           w.hides_any();
  });
}

bool engine::others_hide_any(const worker& but_not) const {
  return workers_.any(
    [&but_not](const worker& other) { return &other != &but_not && other.hides_any(); });
}

void engine::ask_everybody(const worker& but_not) {
  workers_.each([&but_not](worker& other) {
    if(&other != &but_not)
      other.ask();
  });
}

/// Called by a worker that ran out of work: perhaps that was all there is.
void engine::announce_idle() {
  if(activities_.are_awaited() && quiescent())
    wake_waiters();
}

/// As above, for one that has finished tasks and goes on without going idle.
void engine::announce_late() {
  notifier_.meet();
  announce_idle();
}

} // namespace rondo
