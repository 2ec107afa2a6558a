#include "ring.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../failure.hpp"

namespace rondo::detail::inline distributed {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Addresses that don't answer at all are behind a firewall, and there are not many of them.
constexpr milliseconds for_a_connection{1000};
constexpr milliseconds for_an_answer{2000};

/// A launcher that ends all ranks because of one gets the time to do so, in silence.
constexpr milliseconds for_the_launcher{1000};
/// Word to others is followed by the end that the rank which sends it has in mind.
constexpr milliseconds for_others{500};
constexpr milliseconds for_abort{2000};

/// Threads begun meanwhile don't handle the program's signals.
class signals_blocked {
public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

private:
  sigset_t before_{};
};

} // namespace

watch_ring::watch_ring(unsigned rank, unsigned ranks, const meeting_place& m, consequences c)
    : consequences_(c), wakes_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  neighbours_[0].rank = (rank + ranks - 1) % ranks;
  neighbours_[1].rank = (rank + 1) % ranks;
  is_closed_ = connect(m);
  if(!is_closed_) {
    neighbours_ = {};
    return;
  }
  for(neighbour& n : neighbours_) {
    keep_alive(n.connection);
    n.is_watched = true;
  }
  const signals_blocked during;
  try {
    thread_ = std::thread([this] { watch(); });
  }
  catch(
    const std::system_error&) { // no more threads: this rank can still be watched, but not end well
    tell({word::kind::bye, 0, 0});
  }
}

watch_ring::~watch_ring() {
  if(!thread_.joinable())
    return;
  // Release: all that this rank has done comes before its last word.
  is_over_.store(true, std::memory_order_release);
  eventfd_write(wakes_.get(), 1);
  thread_.join();
}

/// All ranks at once try one address after the other, in turns: first all knock, then all open, then all
/// look whether they were let in. So no rank waits for one that waits for another one.
bool watch_ring::connect(const meeting_place& m) {
  listener own;
  const endpoint next = m.pass_back(own.where());
  const auto addresses = likely_addresses(next);
  auto& [before, after] = neighbours_;
  bool is_connected = false;
  for(std::size_t i = 0;; ++i) {
    if(!is_connected && i < addresses.size())
      after.connection = connect_to(next, addresses[i], for_a_connection);
    m.all(true);
    if(open_socket s = own.accept(); s.is_open())
      before.connection = std::move(s);
    m.all(true);
    if(!is_connected && after.connection.is_open()) {
      is_connected = is_answered(after.connection, next.token, for_an_answer);
      if(!is_connected)
        after.connection = {};
    }
    if(m.all(is_connected || i + 1 >= addresses.size()))
      return m.all(is_connected && wakes_.is_open());
  }
}

void watch_ring::abort(int exit_code) {
  // The first one's code. Relaxed: nothing else is handed over.
  int expected = none;
  if(!aborted_.compare_exchange_strong(expected, exit_code, std::memory_order_relaxed))
    return;
  // Here, and not by the thread: what the caller does next may end the process before that wakes up.
  tell({word::kind::abort, exit_code, last_told()});
  eventfd_write(wakes_.get(), 1);
}

/// Any thread. Ranks that don't listen any more need not know.
void watch_ring::tell(word w) {
  for(const neighbour& n : neighbours_)
    if(n.connection.is_open())
      static_cast<void>( // a few bytes: there is room
        ::send(n.connection.get(), &w, sizeof(w), MSG_NOSIGNAL | MSG_DONTWAIT));
}

void watch_ring::end_in(milliseconds time, int exit_code) {
  state_ = state::ending;
  exit_code_ = exit_code;
  time_ = steady_clock::now() + time;
}

int watch_ring::time_left() const {
  if(state_ == state::watching)
    return -1;
  const auto left = std::chrono::ceil<milliseconds>(time_ - steady_clock::now());
  return int(std::max<milliseconds::rep>(0, left.count()));
}

void watch_ring::watch() {
  std::array<pollfd, 3> all{};
  for(;;) {
    all[2] = {wakes_.get(), POLLIN, 0};
    for(std::size_t i = 0; i != neighbours_.size(); ++i)
      all[i] = {neighbours_[i].is_watched ? neighbours_[i].connection.get() : -1, POLLIN, 0};
    static_cast<void>(poll(all.data(), all.size(), time_left()));
    if((all[2].revents & POLLIN) != 0) {
      eventfd_t count = 0;
      eventfd_read(wakes_.get(), &count);
      // Acquire: this rank has done all that it will do.
      if(is_over_.load(std::memory_order_acquire)) {
        if(state_ != state::ending)
          tell({word::kind::bye, 0, 0});
        return;
      }
      const int code = aborted_.load(std::memory_order_relaxed);
      if(code != none && state_ != state::ending)
        end_in(for_abort, code);
    }
    for(std::size_t i = 0; i != neighbours_.size(); ++i)
      if(all[i].fd != -1 && all[i].revents != 0)
        listen_to(neighbours_[i]);
    if(state_ == state::watching || time_left() != 0)
      continue;
    if(state_ == state::losing) {
      end_in(for_abort, 1);
      tell({word::kind::abort, exit_code_, last_told()});
      consequences_.on_death(consequences_.self, lost_);
    }
    else {
      consequences_.end(consequences_.self, exit_code_);
      return;
    }
  }
}

void watch_ring::listen_to(neighbour& n) {
  const ssize_t got =
    recv(n.connection.get(), n.heard.data() + n.size, n.heard.size() - n.size, MSG_DONTWAIT);
  if(got < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if(got <= 0) {
    n.is_watched = false;
    lose(n);
    return;
  }
  n.size += std::size_t(got);
  if(n.size != n.heard.size())
    return;
  word w{};
  std::memcpy(&w, n.heard.data(), sizeof(w));
  n.is_watched = false; // nothing comes after it
  if(w.what != word::kind::abort || state_ == state::ending)
    return;
  hear_of_failure(w.told);
  end_in(for_others, w.exit_code);
  tell(w);
}

void watch_ring::lose(const neighbour& n) {
  if(state_ != state::watching)
    return;
  state_ = state::losing;
  lost_ = n.rank;
  time_ = steady_clock::now() + for_the_launcher;
}

} // namespace rondo::detail::inline distributed
