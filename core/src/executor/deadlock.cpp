// Noticing that nothing can ever go on: docs/protocols/fiber.md.

#include <rondo/core/executor.hpp>
#include <rondo/core/place.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../fiber/sanitizers.hpp"

namespace rondo {

using detail::fiber;

void executor::begin_rest(fiber::waits_for& w) noexcept {
  const std::lock_guard lock(resting_mutex_);
  w.next = resting_;
  if(resting_ != nullptr)
    resting_->before = &w;
  resting_ = &w;
}

void executor::end_rest(fiber::waits_for& w) noexcept {
  const std::lock_guard lock(resting_mutex_);
  (w.before != nullptr ? w.before->next : resting_) = w.next;
  if(w.next != nullptr)
    w.next->before = w.before;
}

/// All waits in `get()`. As long as this lives none of them goes on, except those given up.
class executor::all_at_rest {
public:
  explicit all_at_rest(executor& ex) : lock_(ex.resting_mutex_), threads_(ex.resting_) {
    const std::lock_guard lock(ex.stacks_);
    for(fiber* f = ex.all_fibers_; f != nullptr; f = f->all_next_)
      if(auto* const w = f->begin_reading()) {
        w->next = tasks_;
        tasks_ = w;
      }
  }
  ~all_at_rest() {
    waits_for* given_up = nullptr;
    for(waits_for *w = tasks_, *next = nullptr; w != nullptr; w = next) {
      next = w->next;
      if(w->is_given_up) {
        w->next = given_up;
        given_up = w;
      }
      fiber::stop_reading(*w); // if it is not given up it may be gone now
    }
    // Only after all were given up: from now on others run.
    for(waits_for *w = given_up, *next = nullptr; w != nullptr; w = next) {
      next = w->next;
      w->go_on(*w);
    }
    for(waits_for* w = threads_; w != nullptr; w = w->next)
      if(w->is_given_up)
        w->go_on(*w);
  }
  all_at_rest(const all_at_rest&) = delete;
  all_at_rest& operator=(const all_at_rest&) = delete;

  template<class F>
  void each(F&& f) const {
    for(waits_for* w = threads_; w != nullptr; w = w->next)
      f(*w);
    for(waits_for* w = tasks_; w != nullptr; w = w->next)
      f(*w);
  }

  [[nodiscard]] bool empty() const { return threads_ == nullptr && tasks_ == nullptr; }

  /// Somebody is about to go on.
  [[nodiscard]] bool any_over() const {
    bool any = false;
    each([&any](const waits_for& w) { any = any || w.over(w); });
    return any;
  }

private:
  using waits_for = fiber::waits_for;
  std::unique_lock<std::mutex> lock_;
  waits_for* threads_;
  waits_for* tasks_ = nullptr;
};

namespace {

constexpr std::size_t most_listed = 20;
constexpr std::size_t most_remembered = 1000;

std::string report_of(const std::vector<const fiber::waits_for*>& waits) {
  std::string report =
    "rondo: deadlock: nothing runs, and nobody is left to make what is waited for:";
  for(std::size_t i = 0; i != std::min(waits.size(), most_listed); ++i) {
    const auto& w = *waits[i];
    report += "\n  " + detail::place(w.where) + " waits for ";
    if(*w.name != '\0')
      report += std::string("'") + w.name + "', launched at ";
    report += detail::place(w.launched);
  }
  if(waits.size() > most_listed)
    report += "\n  and " + std::to_string(waits.size() - most_listed) + " others";
  return report;
}

/// The same for waits that a report says the same of.
std::size_t hash_of(const fiber::waits_for& w) {
  std::size_t hash = 0;
  const auto mix = [&hash](std::size_t part) {
    hash = (hash ^ part) * std::size_t{0x9e3779b97f4a7c15U};
    hash ^= hash >> 32U;
  };
  const std::hash<std::string_view> text;
  mix(text(w.where.file_name()));
  mix(w.where.line());
  mix(text(w.name));
  mix(text(w.launched.file_name()));
  mix(w.launched.line());
  return hash;
}

/// Threads of this process that no sanitizer has made; nothing if they can't be counted (a sandbox, or a
/// container without /proc).
std::optional<std::size_t> threads_of_process() {
  std::error_code error;
  std::size_t count = 0;
  std::filesystem::directory_iterator i("/proc/self/task", error);
  for(; !error && i != std::filesystem::directory_iterator(); i.increment(error))
    ++count;
  if(error || count == 0) // there is at least the one that asks
    return std::nullopt;
#ifdef RONDO_THREAD_SANITIZER
  --count;
#endif
  return count;
}

} // namespace

/// For a worker that searches: all who could do something for this executor sleep, there is nothing
/// to be had, and somebody waits.
bool executor::is_stuck() const {
  const bool is_seated = seated_.load(std::memory_order_relaxed);
  const unsigned outside = outside_waiters_.load(std::memory_order_relaxed);
  if((!is_seated && outside == 0) || external_.load(std::memory_order_relaxed) != 0)
    return false;
  if(outside_sleepers_.load(std::memory_order_relaxed) != outside) // it may find something yet
    return false;
  // Something may come, or is just being brought by a thread that is no worker. Acquire: what it has brought is
  // looked for after that.
  if(has_progress_thread_.load(std::memory_order_relaxed) &&
     (wanted_.load(std::memory_order_seq_cst) != 0 || polls_.load(std::memory_order_acquire)))
    return false;
  const unsigned empty_seat = !options_.background && !is_seated ? 1 : 0;
  return notifier_.all_sleep_but_me(workers() - empty_seat) && !work_visible();
}

/// There are no threads but workers and those that wait here, so nobody else may keep a promise. Nobody
/// knows where they can't be counted.
bool executor::no_other_threads() const {
  const std::size_t ours = workers() - (options_.background ? 0U : 1U) +
                           (seated_.load(std::memory_order_relaxed) ? 1U : 0U) +
                           outside_waiters_.load(std::memory_order_relaxed) +
                           (has_progress_thread_.load(std::memory_order_relaxed) ? 1U : 0U);
  const auto all = threads_of_process();
  return all && *all <= ours;
}

/// For a worker that is about to sleep, or a thread that is none: all workers sleep, there is nothing to
/// be had, nor expected from outside.
bool executor::nothing_runs() const {
  const unsigned empty_seat = !options_.background && !seated_.load(std::memory_order_relaxed);
  return external_.load(std::memory_order_relaxed) == 0 && !poller_is_wanted() &&
         notifier_.all_sleep(workers() - empty_seat) && !work_visible() && !others_unfinished();
}

bool executor::help_while_possible(condition done) {
  using clock = std::chrono::steady_clock;
  bool is_possible = true;
  bool is_quiet = false;
  clock::time_point since;
  const auto over = [&](wait_phase phase) {
    if(done(phase))
      return true;
    if(phase != wait_phase::about_to_sleep)
      return false;
    if(!nothing_runs()) {
      is_quiet = false;
      return false;
    }
    // One that was about to go on, and counts as asleep, has had half a millisecond by the next look.
    if(!std::exchange(is_quiet, true)) {
      since = clock::now();
      return false;
    }
    is_possible = !no_other_threads() && clock::now() - since < options_.deadlock_after;
    return !is_possible;
  };
  help_until(over, polling);
  return is_possible;
}

bool executor::is_news(const fiber::waits_for& w) const {
  return !std::binary_search(told_.begin(), told_.end(), hash_of(w));
}

/// Called by a worker that searches, and has slept for long without finding anything. Returns
/// whether it is as it was when this was told the last time.
bool executor::look_for_deadlock() try {
  if(!is_stuck())
    return false;
  std::optional<all_at_rest> held(*this);
  const all_at_rest& all = *held;
  // Who waits stays where it is from here on. One that was about to go on is seen by this second
  // look, or by what it waited for.
  if(all.empty() || all.any_over() || !is_stuck() || others_unfinished())
    return false;
  // Threads that are neither workers nor wait here may still keep a promise.
  const bool is_certain = no_other_threads();
  // One that has ended meanwhile may have kept its promises before.
  if(is_certain && (all.any_over() || !is_stuck()))
    return false;
  std::vector<const fiber::waits_for*> waits;
  if(is_certain) {
    all.each([&](const fiber::waits_for& w) { waits.push_back(&w); });
    const auto report = std::make_shared<const std::string>(report_of(waits));
    // Nobody else runs, so the waits may be taken back: they throw.
    all.each([&](fiber::waits_for& w) { w.is_given_up = w.give_up(w, report); });
    return false;
  }
  bool any_news = false;
  all.each([&](const fiber::waits_for& w) { any_news = any_news || is_news(w); });
  if(!any_news || told_.size() >= most_remembered)
    return true;
  all.each([&](const fiber::waits_for& w) { waits.push_back(&w); });
  std::stable_partition(waits.begin(), waits.end(), [this](const auto* w) { return is_news(*w); });
  const std::string report = report_of(waits);
  for(const auto* const w : waits)
    told_.push_back(hash_of(*w));
  std::sort(told_.begin(), told_.end());
  told_.erase(std::unique(told_.begin(), told_.end()), told_.end());
  held.reset();
  std::fprintf(stderr,
    "%s\nThis goes on only if another thread of the program keeps one of these promises.\n",
    report.c_str());
  return false;
}
catch(const std::bad_alloc&) { // a report takes memory: perhaps there is some next time
  return false;
}

} // namespace rondo
