#include <rondo/distributed/transport.hpp>

#include <sched.h>

namespace rondo {

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
