#include <algorithm>
#include <stdexcept>
#include <thread>

#include <rondo/core/executor.hpp>
#include <rondo/core/poll_post.hpp>

namespace rondo::detail::inline core {

void poll_post::attach(poller& p, bool with_thread) {
  poller* none = nullptr;
  if(!poller_.compare_exchange_strong(none, &p, std::memory_order_seq_cst))
    throw std::logic_error("rondo::executor::attach(): there is a poller already; detach it first");
  if(!with_thread)
    return;
  try {
    start_thread();
  }
  catch(...) {
    detach(p);
    throw;
  }
}

void poll_post::detach(poller& p) {
  if(poller_.load(std::memory_order_relaxed) == &p)
    stop_thread();
  poller* there = &p;
  if(!poller_.compare_exchange_strong(there, nullptr, std::memory_order_seq_cst))
    return;
  // seq_cst, as in poll(): either the caller of it sees that there is none, or we see that it is called.
  while(polls_.load(std::memory_order_seq_cst) || rests_.load(std::memory_order_seq_cst))
    std::this_thread::yield();
  wanted_.store(0, std::memory_order_relaxed); // what was wanted will not come
}

void poll_post::poll_as(void (poller::*how)() noexcept) {
  if(polls_.load(std::memory_order_relaxed) || polls_.exchange(true, std::memory_order_seq_cst))
    return;
  if(poller* const p = poller_.load(std::memory_order_seq_cst)) {
    (p->*how)();
    if(may_give_way_.load(std::memory_order_relaxed)) // only a hint
      if(const bool wakes = p->wakes(); wakes != wakes_.load(std::memory_order_relaxed))
        wakes_.store(wakes, std::memory_order_relaxed);
  }
  polls_.store(false, std::memory_order_release);
}

bool poll_post::poll_and_compare() {
  const auto wanted = wanted_.load(std::memory_order_relaxed);
  poll();
  return wanted_.load(std::memory_order_relaxed) != wanted;
}

/// The poller was not wanted, and is now: somebody must be awake for it.
void poll_post::call_watcher() {
  if(has_thread_.load(std::memory_order_seq_cst))
    call_thread();
  else if(watcher_.load(std::memory_order_seq_cst) == nullptr)
    notifier_.notify_one();
}

bool poll_post::needs_watcher() const {
  return wanted_.load(std::memory_order_seq_cst) != 0 && !has_thread() &&
         watcher_.load(std::memory_order_seq_cst) == nullptr;
}

bool poll_post::watch(const worker& w) {
  if(!is_wanted() || has_thread()) {
    leave(w);
    return false;
  }
  const worker* watcher = watcher_.load(std::memory_order_relaxed);
  return watcher == &w || (watcher == nullptr && watcher_.compare_exchange_strong(
                                                   watcher, &w, std::memory_order_seq_cst));
}

void poll_post::leave(const worker& w) {
  if(watcher_.load(std::memory_order_relaxed) == &w)
    watcher_.store(nullptr, std::memory_order_seq_cst);
}

void poll_post::rest_watching(std::chrono::nanoseconds waited) {
  constexpr std::chrono::nanoseconds long_watch = std::chrono::milliseconds(50);
  // Somebody has to look. It costs a core; but one that others want goes to them if that costs nothing.
  if(waited < long_watch && !gives_way()) {
    std::this_thread::yield();
    return;
  }
  rest_in_poller(waited);
}

void poll_post::rest_in_poller(std::chrono::nanoseconds waited) {
  constexpr std::chrono::nanoseconds shortest = std::chrono::microseconds(50);
  constexpr std::chrono::nanoseconds longest = std::chrono::milliseconds(1);
  // seq_cst, as in poll(), for detach().
  rests_.store(true, std::memory_order_seq_cst);
  if(poller* const p = poller_.load(std::memory_order_seq_cst))
    // A wait that was long may last a little longer. What is not outside wakes nobody here.
    p->rest(p->wakes() ? longest : std::clamp(waited / 500, shortest, longest));
  rests_.store(false, std::memory_order_release);
}

} // namespace rondo::detail::inline core

namespace rondo {

void poller::rest(std::chrono::nanoseconds most) noexcept { std::this_thread::sleep_for(most); }

void executor::attach(poller& p) { post_.attach(p, options_.progress_thread); }
void executor::detach(poller& p) { post_.detach(p); }

} // namespace rondo
