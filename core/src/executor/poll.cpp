// Looking at what is outside of the executor. While the poller is wanted one worker, the watcher,
// stays awake and polls; when it leaves that post for work another one is sent, if one sleeps. If there is a
// thread for that (progress.cpp), no worker has to stay awake.

#include <rondo/core/executor.hpp>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace rondo {

void executor::attach(poller& p) {
  poller* none = nullptr;
  if(!poller_.compare_exchange_strong(none, &p, std::memory_order_seq_cst))
    throw std::logic_error("rondo::executor::attach(): there is a poller already; detach it first");
  if(options_.progress_thread)
    try {
      start_progress_thread();
    }
    catch(...) {
      detach(p);
      throw;
    }
}

void executor::detach(poller& p) {
  if(poller_.load(std::memory_order_relaxed) == &p)
    stop_progress_thread();
  poller* there = &p;
  if(!poller_.compare_exchange_strong(there, nullptr, std::memory_order_seq_cst))
    return;
  // seq_cst, as in poll(): either it sees that there is none, or we see that it is called.
  while(polls_.load(std::memory_order_seq_cst) || rests_.load(std::memory_order_seq_cst))
    std::this_thread::yield();
  wanted_.store(0, std::memory_order_relaxed); // what was wanted will not come
}

void executor::poll_as(void (poller::*how)() noexcept) {
  if(polls_.load(std::memory_order_relaxed) || polls_.exchange(true, std::memory_order_seq_cst))
    return;
  if(poller* const p = poller_.load(std::memory_order_seq_cst)) {
    (p->*how)();
    if(shares_cores()) // only a hint
      if(const bool wakes = p->wakes(); wakes != wakes_.load(std::memory_order_relaxed))
        wakes_.store(wakes, std::memory_order_relaxed);
  }
  polls_.store(false, std::memory_order_release);
}

bool executor::poll_and_compare() {
  const auto wanted = wanted_.load(std::memory_order_relaxed);
  poll();
  return wanted_.load(std::memory_order_relaxed) != wanted;
}

/// A worker between two jobs.
bool executor::look_outside_now(worker& w) {
  if(!has_progress_thread_.load(std::memory_order_relaxed))
    return poll_if_wanted();
  job* const brought = queues_[static_cast<unsigned>(priority::high)].pop();
  if(brought == nullptr)
    return false;
  w.push_task(brought);
  return true;
}

void executor::call_watcher() {
  if(has_progress_thread_.load(std::memory_order_seq_cst)) {
    progress_calls_.fetch_add(1, std::memory_order_seq_cst);
    progress_calls_.notify_one();
    return;
  }
  if(watches_.load(std::memory_order_seq_cst) == nullptr)
    notifier_.notify_one();
}

bool executor::needs_watcher() const {
  return wanted_.load(std::memory_order_seq_cst) != 0 &&
         !has_progress_thread_.load(std::memory_order_relaxed) &&
         watches_.load(std::memory_order_seq_cst) == nullptr;
}

/// True: the caller must not sleep.
bool executor::watch_poller(worker& w) {
  if(!poller_is_wanted() || has_progress_thread_.load(std::memory_order_relaxed)) {
    leave_poller(w);
    return false;
  }
  worker* watcher = watches_.load(std::memory_order_relaxed);
  return watcher == &w || (watcher == nullptr && watches_.compare_exchange_strong(
                                                   watcher, &w, std::memory_order_seq_cst));
}

/// A core that others want is worth more than the microseconds of going to sleep and being woken. But what
/// other workers make wakes nobody who rests: they count on those who search.
bool executor::gives_way() const {
  return shares_cores() && options_.workers == 1 && poller_is_wanted() &&
         wakes_.load(std::memory_order_relaxed);
}

/// The watcher has looked in vain for so long.
void executor::rest_watching(std::chrono::nanoseconds waited) {
  constexpr std::chrono::nanoseconds long_watch = std::chrono::milliseconds(50);
  // Somebody has to look. It costs a core; but one that others want goes to them if that costs nothing.
  if(waited < long_watch && !gives_way()) {
    std::this_thread::yield();
    return;
  }
  rest_in_poller(waited);
}

void executor::rest_in_poller(std::chrono::nanoseconds waited) {
  constexpr std::chrono::nanoseconds shortest = std::chrono::microseconds(50);
  constexpr std::chrono::nanoseconds longest = std::chrono::milliseconds(1);
  // seq_cst, as in poll(), for detach().
  rests_.store(true, std::memory_order_seq_cst);
  if(poller* const p = poller_.load(std::memory_order_seq_cst))
    // Who has waited for long may wait a little longer. What is not outside wakes nobody here.
    p->rest(p->wakes() ? longest : std::clamp(waited / 500, shortest, longest));
  rests_.store(false, std::memory_order_release);
}

/// Before `found`, which sends another one.
void executor::leave_poller(worker& w) {
  if(watches_.load(std::memory_order_relaxed) == &w)
    watches_.store(nullptr, std::memory_order_seq_cst);
}

} // namespace rondo
