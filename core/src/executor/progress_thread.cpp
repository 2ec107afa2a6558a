// A thread for what is outside of the executor, if the options ask for one: workers in long tasks don't keep
// it waiting. docs/protocols/poller.md

#include <rondo/core/poll_post.hpp>

#include <chrono>
#include <thread>

namespace rondo::detail::inline core {

namespace {
thread_local bool sees_to_it = false;
}

struct poll_post::thread_holder {
  std::thread thread;
};

poll_post::poll_post(notifier& n) : notifier_(n) {}
poll_post::~poll_post() = default;

bool poll_post::is_thread() { return sees_to_it; }

/// By `attach`: nobody else does that at the same time, since there is one poller.
void poll_post::start_thread() {
  thread_ends_.store(false, std::memory_order_relaxed);
  thread_ = std::make_unique<thread_holder>();
  try {
    thread_->thread = std::thread([this] { see_to_progress(); });
  }
  catch(...) {
    thread_.reset();
    throw;
  }
  // seq_cst: either `want` sees that there is a thread, or the thread, which looks at `wanted_` after that, sees
  // the wish. A worker that watches meanwhile finds out by itself.
  has_thread_.store(true, std::memory_order_seq_cst);
  call_thread();
}

void poll_post::stop_thread() {
  if(thread_ == nullptr)
    return;
  thread_ends_.store(true, std::memory_order_seq_cst);
  call_thread();
  thread_->thread.join();
  thread_.reset();
  has_thread_.store(false, std::memory_order_seq_cst);
  notifier_.notify_one(); // from now on a worker watches, if that is wanted
}

void poll_post::call_thread() {
  calls_.fetch_add(1, std::memory_order_seq_cst);
  calls_.notify_one();
}

void poll_post::see_to_progress() {
  using clock = std::chrono::steady_clock;
  /// Going to sleep and being woken takes about this long.
  constexpr std::chrono::nanoseconds tight = std::chrono::microseconds(50);
  sees_to_it = true;
  auto since = clock::now();
  for(;;) {
    // seq_cst: the thread that calls has changed what we look at after this before; so either we see that, or `wait`
    // returns.
    const auto calls = calls_.load(std::memory_order_seq_cst);
    if(thread_ends_.load(std::memory_order_seq_cst))
      return;
    if(wanted_.load(std::memory_order_seq_cst) == 0) {
      calls_.wait(calls, std::memory_order_seq_cst);
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

} // namespace rondo::detail::inline core
