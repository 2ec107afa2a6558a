// A thread for what is outside of the executor, if the options ask for one: workers in long tasks don't keep
// it waiting. docs/protocols/poller.md

#include <rondo/core/executor.hpp>

#include <chrono>

namespace rondo {

namespace {
thread_local bool sees_to_progress = false;
}

bool executor::is_progress_thread() { return sees_to_progress; }

/// By `attach`: nobody else does that at the same time, since there is one poller.
void executor::start_progress_thread() {
  progress_ends_.store(false, std::memory_order_relaxed);
  progress_thread_ = std::thread([this] { see_to_progress(); });
  // seq_cst: either `want` sees that there is a thread, or the thread, which looks at `wanted_` after that, sees
  // the wish. A worker that watches meanwhile finds out by itself.
  has_progress_thread_.store(true, std::memory_order_seq_cst);
  progress_calls_.fetch_add(1, std::memory_order_seq_cst);
  progress_calls_.notify_one();
}

void executor::stop_progress_thread() {
  if(!progress_thread_.joinable())
    return;
  progress_ends_.store(true, std::memory_order_seq_cst);
  progress_calls_.fetch_add(1, std::memory_order_seq_cst);
  progress_calls_.notify_one();
  progress_thread_.join();
  has_progress_thread_.store(false, std::memory_order_seq_cst);
  notifier_.notify_one(); // from now on a worker watches, if that is wanted
}

void executor::see_to_progress() {
  using clock = std::chrono::steady_clock;
  /// Going to sleep and being woken takes about this long.
  constexpr std::chrono::nanoseconds tight = std::chrono::microseconds(50);
  sees_to_progress = true;
  auto since = clock::now();
  for(;;) {
    // seq_cst: who calls has changed what we look at after this before; so either we see that, or `wait` returns.
    const auto calls = progress_calls_.load(std::memory_order_seq_cst);
    if(progress_ends_.load(std::memory_order_seq_cst))
      return;
    if(wanted_.load(std::memory_order_seq_cst) == 0) {
      progress_calls_.wait(calls, std::memory_order_seq_cst);
      since = clock::now();
      continue;
    }
    if(poll_and_compare()) {
      since = clock::now();
      continue;
    }
    if(const auto waited = clock::now() - since; waited < tight)
      std::this_thread::yield();
    else
      rest_in_poller(waited);
  }
}

} // namespace rondo
