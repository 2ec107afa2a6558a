#include "overflow.hpp"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include <rondo/core/fiber.hpp>

#include "sanitizers.hpp"

namespace rondo::detail::inline core {

#if defined(RONDO_ADDRESS_SANITIZER) || defined(RONDO_THREAD_SANITIZER)

void tell_stack_overflows() {} // they have reports of their own
void prepare_for_stack_overflow() {}

#else

namespace {

std::atomic<bool> tells{false};

void say(const char* text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

void say(std::size_t number) {
  char digits[24] = {};
  char* first = digits + sizeof digits - 1;
  do
    *--first = static_cast<char>('0' + number % 10);
  while((number /= 10) != 0);
  say(first);
}

/// Only what is allowed in a handler of signals.
void on_segv(int, siginfo_t* info, void*) {
  const fiber* const here = current_fiber();
  if(here != nullptr && here->is_guard(info->si_addr)) {
    say("rondo: stack overflow in a task: its stack has ");
    say(here->size() / 1024);
    say(" KiB; raise RONDO_STACK_KIB or executor_options::stack_size\n");
  }
  // The instruction is repeated after this, and ends the program as if we had never been here.
  std::signal(SIGSEGV, SIG_DFL);
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
  struct sigaction now {};
  if(sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
     now.sa_handler != SIG_DFL)
    return;
  struct sigaction ours {};
  ours.sa_sigaction = &on_segv;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  if(sigaction(SIGSEGV, &ours, nullptr) == 0)
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
