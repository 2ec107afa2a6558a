#include <rondo/distributed/transport.hpp>

#include <stdexcept>
#include <thread>

#include <poll.h>
#include <sched.h>

#include "timespec_of.hpp"

namespace rondo {

void transport::rest(std::chrono::nanoseconds most) {
  if(wake_descriptor() == -1) {
    std::this_thread::sleep_for(most);
    return;
  }
  if(!arm())
    return; // something has come
  const timespec time = detail::timespec_of(most);
  pollfd descriptor{wake_descriptor(), POLLIN, 0};
  ppoll(&descriptor, 1, &time, nullptr);
}

void transport::meet() {
  start_meeting();
  while(!has_met())
    if(!poll())
      sched_yield(); // ranks may share a core
}

transport::words_of_node transport::tell_node(std::span<const std::byte> mine) {
  return {{{mine.begin(), mine.end()}}, 0};
}

// acq_rel, release: what the one before has done to it.
transport::sole_use::sole_use(transport& t) : of_(t) {
  if(t.is_used_.exchange(true, std::memory_order_acq_rel))
    throw std::logic_error(
      "rondo::scheduler: this transport has a scheduler already, which numbers "
      "its channels; make a transport for each (make_transport), or end the "
      "other scheduler first");
}
transport::sole_use::~sole_use() { of_.is_used_.store(false, std::memory_order_release); }

void transport::tell_mismatches(mismatch_listener listener) {
  const std::lock_guard lock(mutex_);
  listener_ = listener;
}

bool transport::tell_mismatch(const char* what) {
  const std::lock_guard lock(mutex_);
  if(listener_.call == nullptr)
    return false;
  listener_.call(listener_.self, what);
  return true;
}

} // namespace rondo
