// The live line itself: who is asked, when, and where it goes.

#include <rondo/observe/live_line.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include <rondo/core/executor.hpp>
#include <rondo/core/machine.hpp>
#include <rondo/core/observer.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "live_meter.hpp"
#include "loops_under_way.hpp"

namespace rondo::detail::inline observe {

namespace {

constexpr std::chrono::milliseconds renewed_every{500};
/// So long before the line is renewed tasks are asked which pass they are in.
constexpr std::chrono::milliseconds asked_before{20};

std::atomic<bool> is_left_to_program{false};
std::atomic<bool> is_taken{false};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// As much of it as fits: of a line that is longer than the terminal is wide the next one would leave a part.
std::string fitting(std::string text) {
  winsize size{};
  if(ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && text.size() >= size.ws_col)
    text.resize(size.ws_col - std::size_t{1});
  return text;
}

} // namespace

bool is_live_line_wanted() {
  const char* const text = std::getenv("RONDO_PROGRESS_LINE");
  if(text == nullptr)
    return false;
  const std::string_view s = text;
  if(s != "" && s != "0" && s != "1")
    throw std::invalid_argument(
      "rondo: RONDO_PROGRESS_LINE=" + std::string(s) + ": expected 0 or 1");
  return s == "1" && isatty(STDERR_FILENO) != 0;
}

void leave_line_to_program() { is_left_to_program.store(true, std::memory_order_relaxed); }

/// Passes are told by several threads, and the mutex orders them; launches are counted without it.
class live_line::shown final : public observer {
public:
  explicit shown(executor& ex) : ex_(ex), meter_(seconds_now()) {
    ex_.attach(*this);
    try {
      thread_ = std::thread([this] { run(); });
    }
    catch(...) { // the system has no more threads
      ex_.detach(*this);
      throw;
    }
  }
  ~shown() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    over_.notify_one();
    thread_.join();
    ex_.detach(*this);
    if(is_quiet())
      return;
    loops_.look();
    if(const std::string last = meter_.end(loops_.in_view(), launches(), seconds_now());
       !last.empty())
      std::fprintf(stderr, "\r%s\x1b[K\n", last.c_str());
  }

private:
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};

  void launched(const launch_info& /*what*/) noexcept override {
    launches_.fetch_add(1, std::memory_order_relaxed);
  }
  void pass_begun(const pass_info& p) noexcept override {
    const std::lock_guard lock(mutex_);
    loops_.begun(p, seconds_now());
  }
  void pass_ended(const pass_info& p) noexcept override {
    const std::lock_guard lock(mutex_);
    loops_.over(p, true, seconds_now());
  }
  void pass_in_vain(const pass_info& p) noexcept override {
    const std::lock_guard lock(mutex_);
    loops_.over(p, false, seconds_now());
  }
  void task_end(unsigned /*worker*/, const task_info& t) noexcept override {
    const std::uint64_t asked = asked_.load(std::memory_order_relaxed);
    if(asked == nobody) [[likely]]
      return;
    const task_id id = t.id();
    if(id.number != asked)
      return;
    const std::lock_guard lock(mutex_);
    loops_.ended(id);
    asked_.store(nobody, std::memory_order_relaxed);
  }

  [[nodiscard]] std::uint64_t launches() const { return launches_.load(std::memory_order_relaxed); }

  /// Where a line was, there is none any more.
  bool is_quiet() {
    if(!is_left_to_program.load(std::memory_order_relaxed))
      return false;
    if(has_shown_)
      std::fputs("\r\x1b[K", stderr);
    has_shown_ = false;
    return true;
  }

  void run() {
    unbind_this_thread(this_machine()); // of the one that has made it, which may be bound
    std::unique_lock lock(mutex_);
    const auto is_over = [this] { return ends_; };
    while(!over_.wait_for(lock, renewed_every - asked_before, is_over)) {
      const loop_now& l = loops_.in_view();
      asked_.store(l.is_repeat ? l.id : nobody, std::memory_order_relaxed);
      if(over_.wait_for(lock, asked_before, is_over))
        return;
      const std::string text = meter_.line(loops_.look(), launches(), seconds_now());
      lock.unlock(); // a terminal may be slow
      if(!is_quiet() && !text.empty()) {
        // Behind the line the cursor goes back, so that what others print begins in front.
        std::fprintf(stderr, "\r%s\x1b[K\r", fitting(text).c_str());
        has_shown_ = true;
      }
      lock.lock();
    }
  }

  executor& ex_;
  alignas(64) std::atomic<std::uint64_t> launches_{0};
  /// The loop whose next task is to say which pass it is of.
  alignas(64) std::atomic<std::uint64_t> asked_{nobody};
  std::mutex mutex_; ///< Of `loops_` and `ends_`.
  loops_under_way loops_;
  bool ends_ = false;
  std::condition_variable over_; ///< The thread waits.
  live_meter meter_;             ///< Of the thread, as long as that lives; so is the next one.
  bool has_shown_ = false;
  std::thread thread_;
};

live_line::live_line(executor& ex) {
  if(is_taken.exchange(true, std::memory_order_relaxed))
    return;
  try {
    shown_ = std::make_unique<shown>(ex);
  }
  catch(...) {
    is_taken.store(false, std::memory_order_relaxed);
    throw;
  }
}

live_line::~live_line() {
  if(shown_ == nullptr)
    return;
  shown_.reset();
  is_taken.store(false, std::memory_order_relaxed);
}

} // namespace rondo::detail::inline observe
