#include "signals.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace rondo::detail::inline distributed {

namespace {

constexpr int signals[] = {SIGTERM, SIGINT};

/// The two ends of a pipe, through which the handler, which may do next to nothing, tells the thread. -1: nobody listens.
std::atomic<int> told_to{-1};
int heard_from = -1;

void hand_over(int signal) {
  const int before = errno;
  const auto number = static_cast<unsigned char>(signal);
  if(const int to = told_to.load(std::memory_order_relaxed); to != -1)
    static_cast<void>(!::write(to, &number, 1));
  errno = before;
}

bool is_usual(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
         now.sa_handler == SIG_DFL;
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction what {};
  what.sa_handler = handler;
  what.sa_flags = SA_RESTART;
  sigemptyset(&what.sa_mask);
  sigaction(signal, &what, nullptr);
}

} // namespace

end_by_signal::end_by_signal(std::function<void(int)> before) : before_(std::move(before)) {
  int ends[2];
  if(pipe(ends) != 0)
    throw std::system_error(errno, std::generic_category(), "rondo: no pipe");
  heard_from = ends[0];
  told_to.store(ends[1], std::memory_order_relaxed);
  thread_ = std::thread([this] { listen(); });
  for(const int signal : signals)
    if(is_usual(signal))
      set_handler(signal, &hand_over);
}

end_by_signal::~end_by_signal() {
  for(const int signal : signals) {
    struct sigaction now {};
    if(sigaction(signal, nullptr, &now) == 0 && now.sa_handler == &hand_over)
      set_handler(signal, SIG_DFL);
  }
  hand_over(0); // no signal has this number
  thread_.join();
  close(told_to.exchange(-1, std::memory_order_relaxed));
  close(heard_from);
}

void end_by_signal::listen() {
  unsigned char signal = 0;
  while(::read(heard_from, &signal, 1) < 0 && errno == EINTR)
    ;
  if(signal == 0)
    return;
  before_(signal);
  set_handler(signal, SIG_DFL);
  kill(getpid(), signal);
}

} // namespace rondo::detail::inline distributed
