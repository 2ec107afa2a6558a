#include <rondo/distributed/transport.hpp>

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
