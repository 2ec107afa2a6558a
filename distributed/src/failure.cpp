#include "failure.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include <rondo/distributed/history.hpp>
#include <rondo/futures/unasked.hpp>

namespace rondo::detail::inline distributed {

namespace {
std::string text_of(const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  }
  catch(const std::exception& e) {
    return without_name(e.what());
  }
  catch(...) {
    return "something was thrown that is no std::exception";
  }
}

/// One process, one end.
struct words_of_process {
  std::mutex mutex;
  std::function<void(const std::string&)> say;
};
words_of_process& words() {
  static words_of_process one;
  return one;
}
// Relaxed: nothing else is handed over.
std::atomic<bool> another_has_failed{false};
std::atomic<told_failure> told_by_another{0};
std::atomic<told_failure> told_by_this{0};
} // namespace

told_failure last_told() noexcept { return told_by_this.load(std::memory_order_relaxed); }

void hear_of_failure(told_failure what) noexcept {
  told_by_another.store(what, std::memory_order_relaxed);
  another_has_failed.store(true, std::memory_order_release); // with what was told
}

bool has_heard_of_failure() {
  constexpr std::chrono::milliseconds moment(200);
  const auto end = std::chrono::steady_clock::now() + moment;
  while(!another_has_failed.load(std::memory_order_acquire)) {
    if(std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

last_words::last_words(std::function<void(const std::string&)> say) {
  const std::lock_guard lock(words().mutex);
  words().say = std::move(say);
}

last_words::~last_words() {
  const std::lock_guard lock(words().mutex);
  words().say = nullptr;
}

std::string without_name(std::string what) {
  for(const std::string_view name : {"rondo: ", "rondo::"})
    if(what.starts_with(name))
      return what.substr(name.size());
  return what;
}

void tell(const transport& t, const std::string& what) {
  std::string line = "rondo: ";
  if(t.ranks() > 1)
    line += "rank " + std::to_string(t.rank()) + " of " + std::to_string(t.ranks()) + ": ";
  line += what;
  std::fprintf(stderr, "%s\n", line.c_str()); // at once: other ranks write there as well
}

void tell_failure(const transport& t, const std::string& task, const std::exception_ptr& why) {
  tell(t, failure_of(task, why));
}

std::string with_maker(executor& ex, const std::string& launch, const std::exception_ptr& thrown) {
  const std::string maker = failed_task(ex, thrown);
  if(maker.empty() || launch.empty())
    return launch;
  constexpr std::string_view of_loop = "task 'iterate: stop?', launched at ";
  if(launch.starts_with(of_loop))
    return maker + ", whose future ends the loop at " + launch.substr(of_loop.size());
  return maker + ", whose future is taken by " + launch;
}

std::string failure_of(const std::string& task, const std::exception_ptr& why) {
  return (task.empty() ? "" : task + ", has failed: ") + text_of(why);
}

void end_all(transport& t, const std::string& task, const std::exception_ptr& why) {
  static std::atomic<bool> ends{false};
  if(!ends.exchange(true)) {
    const std::string text = failure_of(task, why);
    const told_failure what = hash_of_letters(text);
    const bool is_told = t.rank() != 0 && has_heard_of_failure() &&
                         told_by_another.load(std::memory_order_relaxed) == what;
    if(!is_told)
      tell(t, text);
    told_by_this.store(what, std::memory_order_relaxed); // once it is so
    {
      const std::lock_guard lock(words().mutex);
      if(words().say)
        words().say(text);
    }
    t.abort(EXIT_FAILURE);
  }
  for(;;) // the first thread to come ends the process
    std::this_thread::sleep_for(std::chrono::seconds(1));
}

} // namespace rondo::detail::inline distributed
