#include "overflow.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

#include <rondo/core/fiber.hpp>
#include <rondo/core/running_task.hpp>

#include "sanitizers.hpp"

#ifdef __GLIBC__
// The C library's own. Some builds of UCX have a `sigaction` of their own, which does nothing for
// the signals that UCX wants to be told of.
extern "C" int __sigaction( // NOLINT(bugprone-reserved-identifier)
  int signal, const struct sigaction* wanted, struct sigaction* before) noexcept;
#endif

namespace rondo::detail::inline core {

#if defined(RONDO_ADDRESS_SANITIZER) || defined(RONDO_THREAD_SANITIZER)

void tell_stack_overflows() {} // they have reports of their own
void prepare_for_stack_overflow() {}

#else

namespace {

using action = struct sigaction;

/// The action that our handler has replaced, and goes back to.
action before_us{};
std::atomic<bool> tells{false};

int change_action(const action* wanted, action* before) {
#ifdef __GLIBC__
  return __sigaction(SIGSEGV, wanted, before);
#else
  return sigaction(SIGSEGV, wanted, before);
#endif
}

void on_segv(int signal, siginfo_t* info, void* context);

bool is_ours(const action& a) {
  return (a.sa_flags & SA_SIGINFO) != 0 && a.sa_sigaction == &on_segv;
}

/// A line that is written at once: other ranks may write theirs. Text that does not fit is left out.
class line {
public:
  void add(const char* text) {
    const std::size_t length = std::min(std::strlen(text), sizeof text_ - length_);
    std::memcpy(text_ + length_, text, length);
    length_ += length;
  }
  void add(std::size_t number) {
    char digits[24] = {};
    char* first = digits + sizeof digits - 1;
    do
      *--first = static_cast<char>('0' + number % 10);
    while((number /= 10) != 0);
    add(first);
  }
  void write() const {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text_, length_);
  }

private:
  char text_[1024];
  std::size_t length_ = 0;
};

void add_task(line& l) {
  constexpr std::size_t longest_name = 600;
  const running_task* const task = current_task();
  const char* const name = task != nullptr ? task->name() : nullptr;
  if(name == nullptr || *name == '\0')
    l.add("a task");
  else if(std::strlen(name) > longest_name)
    l.add("a task with a very long name");
  else {
    l.add("task ");
    l.add(name);
  }
}

void tell_of(const fiber& full) {
  line l;
  l.add("rondo: stack overflow in ");
  add_task(l);
  l.add(": its stack has ");
  l.add(full.size() / 1024);
  l.add(" KiB; raise RONDO_STACK_KIB or executor_options::stack_size\n");
  l.write();
}

/// Of tasks that have a name; once, if handlers call each other.
void tell_of_wrong_address() {
  static std::atomic<bool> is_told{false};
  const running_task* const task = current_task();
  const char* const name = task != nullptr ? task->name() : nullptr;
  if(name == nullptr || *name == '\0' || is_told.exchange(true, std::memory_order_relaxed))
    return;
  line l;
  l.add("rondo: segmentation fault in ");
  add_task(l);
  l.add(": it has used memory that is not there; a checked build, RONDO_CHECKS, says more if that "
        "is an accessor's "
        "(docs/mistakes.md)\n");
  l.write();
}

/// Only what is allowed in a handler of signals. The instruction is repeated after this, and meets
/// what would have become of it without us: the end of the program if it was an overflow, else the
/// handler that was there before.
void on_segv(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const fiber* const here = current_fiber();
  const bool is_overflow = info->si_code > 0 && here != nullptr && here->is_guard(info->si_addr);
  if(is_overflow)
    tell_of(*here);
  else if(info->si_code > 0)
    tell_of_wrong_address();
  action next{};
  next.sa_handler = SIG_DFL;
  action now{};
  // If ours is not the one in use, then that one has called us: it would only do so again.
  if(!is_overflow && change_action(nullptr, &now) == 0 && is_ours(now))
    next = before_us;
  change_action(&next, nullptr);
  if(info->si_code <= 0) // somebody has sent it
    std::raise(SIGSEGV);
}

/// The stack of a thread for signals.
class signal_stack {
public:
  ~signal_stack() {
    if(memory_ == nullptr)
      return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, size);
  }

  void make() {
    stack_t used{};
    if(memory_ != nullptr || sigaltstack(nullptr, &used) != 0 || (used.ss_flags & SS_DISABLE) == 0)
      return;
    void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if(memory == MAP_FAILED) // then an overflow is as silent as it was
      return;
    used = {};
    used.ss_sp = memory;
    used.ss_size = size;
    if(sigaltstack(&used, nullptr) == 0)
      memory_ = memory;
    else
      munmap(memory, size);
  }

private:
  /// Processors with large registers save some 10 KiB of them.
  static constexpr std::size_t size = std::size_t{64} << 10U;
  void* memory_ = nullptr;
};

} // namespace

void tell_stack_overflows() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  action now{};
  if(change_action(nullptr, &now) != 0 || is_ours(now))
    return;
  before_us = now;
  action ours{};
  ours.sa_sigaction = &on_segv;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  if(change_action(&ours, nullptr) == 0)
    tells.store(true, std::memory_order_relaxed);
}

void prepare_for_stack_overflow() {
  if(!tells.load(std::memory_order_relaxed))
    return;
  static thread_local signal_stack mine;
  mine.make();
}

#endif

} // namespace rondo::detail::inline core
