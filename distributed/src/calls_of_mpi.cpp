// Before and after a task that calls MPI.
#include <span>

#include <rondo/distributed/scheduler.hpp>

#include <sched.h>

namespace rondo {

void scheduler::launch_before_mpi(
  const launch_site& l, std::uint64_t hash_of_name, std::span<const detail::launch_argument> uses) {
  detail::launch_subject on;
  for(const detail::launch_argument& u : uses)
    on.add(u.number());
  note_launch(detail::step_kind::once, l, hash_of_name, on);
  launch_ghosts(uses, l.where);
}

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
