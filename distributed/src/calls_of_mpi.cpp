// Before and after a task that calls MPI.
#include <rondo/distributed/scheduler.hpp>
#include <sched.h>

namespace rondo {

void scheduler::begin_mpi() {
  // All that this rank was to receive is here. When all ranks say so, what they have sent has
  // arrived, and nobody needs anybody's help.
  while(transport_.is_sending())
    if(!transport_.poll())
      sched_yield();
  transport_.meet();
  transport_.enter_mpi();
  occupied_ = occupation::calls_mpi;
}

void scheduler::end_mpi() {
  occupied_ = occupation::none;
  transport_.leave_mpi();
}

} // namespace rondo
