#include "deadlock_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include <rondo/core/look.hpp>
#include <rondo/core/place.hpp>
#include <rondo/core/waits_for.hpp>

#include "directory.hpp"
#include "stillness.hpp"

namespace rondo::detail::inline core {

namespace {

constexpr std::size_t most_listed = 20;
constexpr std::size_t most_remembered = 1000;

std::string in_words(const waits_for& w, bool is_still) {
  const std::string what = w.what(w, is_still);
  return w.where.line() == 0 ? what : detail::place(w.where) + ' ' + what;
}

std::string report_of(const std::vector<std::string>& waits) {
  std::string report =
    "rondo: deadlock: nothing runs, and nobody is left to make what is waited for:";
  for(std::size_t i = 0; i != std::min(waits.size(), most_listed); ++i)
    report += "\n  " + waits[i];
  if(waits.size() > most_listed)
    report += "\n  and " + std::to_string(waits.size() - most_listed) + " others";
  return report;
}

std::size_t hash_of(const std::string& wait) { return std::hash<std::string>()(wait); }

/// A wait that only its worker can ask, and asks about every half a millisecond, was asked that long after everything was
/// still, or later.
constexpr auto grace = std::chrono::milliseconds(20);

} // namespace

deadlock_watch& deadlock_watch::here() {
  static auto* const made = new deadlock_watch; // some executors are static
  return *made;
}

/// None of them ends as long as this lives.
class deadlock_watch::all_executors {
public:
  /// `caller`: one of whose workers asks; or null.
  explicit all_executors(const engine* caller)
      : caller_(caller), all_(directory::here().visit_all()) {}
  ~all_executors() {
    for(engine* const ex : all_)
      ex->visits().end();
  }
  all_executors(const all_executors&) = delete;
  all_executors& operator=(const all_executors&) = delete;

  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

  /// All workers and threads that wait sleep, but for the caller; there is nothing to be had, nor expected from outside.
  [[nodiscard]] bool still() const {
    return std::ranges::all_of(
      all_, [this](const engine* ex) { return stillness::of(*ex, ex == caller_); });
  }
  [[nodiscard]] std::uint64_t activity() const {
    std::uint64_t sum = 0;
    for(const engine* const ex : all_)
      sum += stillness::activity(*ex);
    return sum;
  }
  [[nodiscard]] bool have_looked_since(clock::time_point t) const {
    return std::ranges::all_of(
      all_, [t](const engine* ex) { return stillness::has_looked_since(*ex, t); });
  }
  [[nodiscard]] bool anyone_waits() const {
    return std::ranges::any_of(all_, [](const engine* ex) { return stillness::is_awaited(*ex); });
  }
  /// There are no threads but workers and those that wait, so nobody else may keep a promise. Nobody knows where they
  /// can't be counted.
  [[nodiscard]] bool are_alone() const {
    std::size_t ours = bystanders::count();
    for(const engine* const ex : all_)
      ours += stillness::threads(*ex);
    const auto there_are = threads_of_process();
    return there_are && *there_are <= ours;
  }

private:
  const engine* const caller_;
  const std::vector<engine*> all_;
};

/// All waits in `get()` and for launches. As long as this lives none of them goes on, except those given up.
class deadlock_watch::all_at_rest {
public:
  explicit all_at_rest(const all_executors& all) {
    for(engine* const ex : all) // may throw: before any stack is held
      threads_.emplace_back(stillness::resting(*ex));
    for(engine* const ex : all)
      stillness::stacks(*ex).each([this](fiber& f) {
        if(auto* const w = f.begin_reading()) {
          w->next = tasks_;
          tasks_ = w;
        }
      });
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
    for(const auto& held : threads_)
      for(waits_for* w = held.newest(); w != nullptr; w = w->next)
        if(w->is_given_up)
          w->go_on(*w);
  }
  all_at_rest(const all_at_rest&) = delete;
  all_at_rest& operator=(const all_at_rest&) = delete;

  template<class F>
  void each(F&& f) const {
    for(const auto& held : threads_)
      for(waits_for* w = held.newest(); w != nullptr; w = w->next)
        f(*w);
    for(waits_for* w = tasks_; w != nullptr; w = w->next)
      f(*w);
  }

  [[nodiscard]] bool empty() const {
    return tasks_ == nullptr &&
           std::ranges::all_of(threads_, [](const auto& held) { return held.newest() == nullptr; });
  }

  /// Somebody is about to go on.
  [[nodiscard]] bool any_over() const {
    bool any = false;
    each([&any](const waits_for& w) { any = any || w.over(w); });
    return any;
  }

private:
  std::list<resting_threads::hold> threads_;
  waits_for* tasks_ = nullptr;
};

deadlock_watch::clock::duration deadlock_watch::look(engine& caller, clock::duration patience) try {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const auto first = first_patience(stillness::options(caller));
  if(!lock || find(caller) != finding::told_before)
    return first;
  return std::min(2 * patience, 32 * first); // all that can be said was said
}
catch(const std::bad_alloc&) { // a report takes memory: perhaps there is some next time
  return patience;
}

std::vector<std::string> deadlock_watch::describe_waits() {
  const all_executors executors(nullptr);
  const all_at_rest all(executors);
  std::vector<std::string> waits;
  all.each([&waits](const waits_for& w) { waits.push_back(in_words(w, false)); });
  return waits;
}

bool deadlock_watch::are_workers_alone() try { return all_executors(nullptr).are_alone(); }
catch(const std::bad_alloc&) {
  return false; // nobody knows
}

/// Nothing has happened for so long.
bool deadlock_watch::is_quiet(const all_executors& all, clock::duration wanted) {
  const auto now = clock::now();
  if(const auto activity = all.activity(); activity != activity_) {
    activity_ = activity;
    quiet_since_ = now;
    return false;
  }
  return now - quiet_since_ >= std::max<clock::duration>(wanted, grace) && all.still() &&
         all.have_looked_since(quiet_since_ + grace / 2);
}

deadlock_watch::finding deadlock_watch::find(engine& caller) {
  const all_executors executors(&caller);
  if(!is_quiet(executors, stillness::options(caller).deadlock_after) || !executors.anyone_waits())
    return finding::none;
  std::optional<all_at_rest> held(executors);
  const all_at_rest& all = *held;
  // From here on what waits there stays where it is.
  if(all.empty() || all.any_over())
    return finding::none;
  // Threads that are neither workers nor wait here may still keep a promise.
  const bool is_certain = executors.are_alone();
  // Something that was about to go on is seen by this second look, or by what it waited for; a thread that has ended
  // meanwhile, by what it did before.
  if(!executors.still() || executors.activity() != activity_ || all.any_over())
    return finding::none;
  std::vector<std::string> waits;
  all.each([&](const waits_for& w) { waits.push_back(in_words(w, is_certain)); });
  if(is_certain) {
    const auto report = std::make_shared<const std::string>(report_of(waits));
    // Nobody else runs, so the waits may be taken back: they throw, or what they wait for fails.
    for(const bool is_last_resort : {false, true}) {
      bool is_any_given_up = false;
      all.each([&](waits_for& w) {
        if(w.is_last_resort != is_last_resort)
          return;
        w.is_given_up = w.give_up(w, report);
        is_any_given_up = is_any_given_up || w.is_given_up;
      });
      if(is_any_given_up)
        return finding::told;
    }
  }
  if(const auto made = directory::here().made(); told_when_ != made) { // waits of another executor
    told_when_ = made;
    told_.clear();
  }
  const auto is_news = [this](const std::string& w) {
    return !std::binary_search(told_.begin(), told_.end(), hash_of(w));
  };
  if(told_.size() >= most_remembered || std::ranges::none_of(waits, is_news))
    return finding::told_before;
  std::stable_partition(waits.begin(), waits.end(), is_news);
  const std::string report = report_of(waits);
  for(const auto& w : waits)
    told_.push_back(hash_of(w));
  std::sort(told_.begin(), told_.end());
  told_.erase(std::unique(told_.begin(), told_.end()), told_.end());
  held.reset();
  std::fprintf(stderr, "%s\n%s\n", report.c_str(),
    is_certain ? "No wait can be ended here, so the program hangs."
               : "This goes on only if another thread of the program keeps one of these promises.");
  return finding::told;
}

} // namespace rondo::detail::inline core
