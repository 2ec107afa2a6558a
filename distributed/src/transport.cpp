#include <rondo/distributed/transport.hpp>

#include <sched.h>

namespace rondo {

void transport::meet() {
  start_meeting();
  while(!has_met())
    if(!poll())
      sched_yield(); // ranks may share a core
}

} // namespace rondo
