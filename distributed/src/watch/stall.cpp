#include "stall.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <csignal>

namespace rondo::detail::inline distributed {

namespace {

/// All signals but the one for this thread itself: the program's handlers run elsewhere.
struct without_signals {
  sigset_t before{};
  without_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~without_signals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;
};

std::string seconds(std::chrono::steady_clock::duration d) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f s", d < std::chrono::seconds(10) ? 1 : 0,
    std::chrono::duration<double>(d).count());
  return text;
}

} // namespace

stall_watch::clock::duration stall_watch::patience() {
  const char* const text = std::getenv("RONDO_PATIENCE");
  if(text == nullptr)
    return std::chrono::seconds(30);
  const std::string_view s = text;
  double value = -1;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if(error != std::errc() || end != s.data() + s.size() || !(value >= 0 && value <= 1e6))
    throw std::invalid_argument("rondo: RONDO_PATIENCE=" + std::string(s) +
                                ": expected a number of seconds, up to 1000000; 0 for never");
  return std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(value));
}

stall_watch::stall_watch(executor& ex, clock::duration patience,
  std::function<void(const std::string&)> tell, of_waits waits)
    : ex_(ex), patience_(patience), tell_(std::move(tell)), waits_(waits), seat_(pthread_self()),
      quiet_since_(clock::now()), tell_after_(patience) {
  if(patience_ == clock::duration::zero())
    return;
  const without_signals here;
  thread_ = std::thread([this] { look_again_and_again(); });
}

stall_watch::~stall_watch() {
  if(!thread_.joinable())
    return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

void stall_watch::look_again_and_again() {
  const bystanders me(1);
  const clock::duration between =
    std::min<clock::duration>(patience_ / 10, std::chrono::seconds(3));
  std::unique_lock lock(mutex_);
  while(!ends_.wait_for(lock, between, [this] { return is_over_; })) {
    lock.unlock();
    look();
    lock.lock();
  }
}

void stall_watch::look() {
  const auto now = clock::now();
  if(const std::uint64_t activity = activity_of(ex_); activity != activity_) {
    activity_ = activity;
    quiet_since_ = now;
    tell_after_ = patience_;
    has_looked_ = false;
    return;
  }
  const auto quiet = now - quiet_since_;
  if(quiet < patience_ / 2) // workers are left alone
    return;
  std::vector<seen_worker> found = look_at_workers(ex_, seat_);
  // A loop that was launched as a whole runs many tasks within one job.
  const bool is_same = std::equal(found.begin(), found.end(), seen_.begin(), seen_.end(),
    [](const seen_worker& a, const seen_worker& b) { return a.task == b.task; });
  if(!std::exchange(has_looked_, true))
    seen_ = std::move(found);
  else if(!is_same) {
    has_looked_ = false;
    quiet_since_ = now;
    tell_after_ = patience_;
    return;
  }
  if(quiet < tell_after_)
    return;
  std::string tasks;
  for(const seen_worker& w : seen_)
    if(!w.task.empty())
      tasks += (tasks.empty() ? "'" : ", '") + w.task + "' on worker " + std::to_string(w.worker);
  tell_after_ = 2 * quiet;
  if(!tasks.empty())
    tell_("nothing has run for " + seconds(quiet) + " but " + tasks +
          ", and other tasks wait for that; does it end? (docs/mistakes.md)");
  else if(waits_ == of_waits::all)
    tell_of_waits(quiet);
}

/// The workers have just been asked: what they had done before is seen.
void stall_watch::tell_of_waits(clock::duration quiet) {
  const std::vector<std::string> waits = look_at_waits();
  if(waits.empty())
    return;
  std::string text = "nothing has run here for " + seconds(quiet) +
                     ", and if no task runs on another rank, nothing ever will:";
  constexpr std::size_t most = 10;
  for(std::size_t i = 0; i != std::min(waits.size(), most); ++i)
    text += (i == 0 ? " " : "; ") + waits[i];
  tell_(text + " (docs/mistakes.md)");
}

} // namespace rondo::detail::inline distributed
