#include <rondo/core/look.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>

#include <rondo/core/executor.hpp>
#include <rondo/core/running_task.hpp>

#include "../fiber/sanitizers.hpp"
#include "deadlock_watch.hpp"
#include "stillness.hpp"

namespace rondo::detail::inline core {

namespace {

constexpr int asks = SIGURG;

/// What one thread is asked at a time. It is never gone, so an answer that comes late does no harm.
///
/// idle -> asked: by the one who looks, who has the mutex. asked -> answering -> answered: by the handler, on the thread
/// that is asked. answered -> idle, and asked -> idle when the time is over: by the one who looks. acquire and release:
/// the rest belongs to the thread that has made the last step.
struct question {
  enum state_type : int { idle, asked, answering, answered };
  std::atomic<int> state{idle};
  pthread_t who{};
  char task[200] = {};
};
static_assert(std::atomic<int>::is_always_lock_free, "it is used by a handler of signals");

question the_question;
std::mutex one_at_a_time;

void answer(int /*signal*/) {
  const int error = errno;
  question& q = the_question;
  int expected = question::asked;
  if(q.state.load(std::memory_order_acquire) == question::asked &&
     pthread_equal(q.who, pthread_self()) != 0 &&
     q.state.compare_exchange_strong(expected, question::answering, std::memory_order_acq_rel)) {
    const running_task* const task = current_task();
    const char* const name = task != nullptr ? task->name() : nullptr;
    q.task[0] = '\0';
    if(name != nullptr) {
      std::strncpy(q.task, name, sizeof q.task - 1);
      q.task[sizeof q.task - 1] = '\0';
    }
    q.state.store(question::answered, std::memory_order_release);
  }
  errno = error;
}

/// Not if the program uses the signal.
bool prepare_to_ask() {
  struct sigaction now {};
  if(sigaction(asks, nullptr, &now) != 0)
    return false;
  if((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == &answer)
    return true;
  if((now.sa_flags & SA_SIGINFO) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN))
    return false;
  struct sigaction ours {};
  ours.sa_handler = &answer;
  ours.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  return sigaction(asks, &ours, nullptr) == 0;
}

std::string ask(pthread_t thread) {
  question& q = the_question;
  q.who = thread;
  q.state.store(question::asked, std::memory_order_release);
  if(pthread_kill(thread, asks) == 0)
    for(int i = 0; i != 100 && q.state.load(std::memory_order_acquire) != question::answered; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  int expected = question::asked;
  if(q.state.compare_exchange_strong(expected, question::idle, std::memory_order_acq_rel))
    return {};
  while(q.state.load(std::memory_order_acquire) != question::answered)
    std::this_thread::yield(); // it is in the handler
  std::string task = q.task;
  q.state.store(question::idle, std::memory_order_release);
  return task;
}

std::atomic<std::size_t> all_bystanders{0};

} // namespace

std::uint64_t activity_of(const executor& ex) { return stillness::activity(engine_of(ex)); }

std::vector<seen_worker> look_at_workers(executor& ex, pthread_t of_seat) {
  std::vector<seen_worker> all;
  const std::lock_guard lock(one_at_a_time);
  if(!prepare_to_ask())
    return all;
  all.push_back({0, ask(of_seat)});
  stillness::each_thread(engine_of(ex), [&all](unsigned worker, pthread_t thread) {
    all.push_back({worker, ask(thread)});
  });
  return all;
}

std::vector<std::string> look_at_waits() { return deadlock_watch::describe_waits(); }

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

bystanders::bystanders(std::size_t how_many) : how_many_(how_many) {
  all_bystanders.fetch_add(how_many_, std::memory_order_relaxed);
}
bystanders::~bystanders() { all_bystanders.fetch_sub(how_many_, std::memory_order_relaxed); }
std::size_t bystanders::count() { return all_bystanders.load(std::memory_order_relaxed); }

} // namespace rondo::detail::inline core
