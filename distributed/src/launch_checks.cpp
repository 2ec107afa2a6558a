// Checks before anything of a launch is done, and the note of it for other ranks.
#include <rondo/core/borrowed.hpp>
#include <rondo/core/place.hpp>
#include <rondo/distributed/scheduler.hpp>

#include "checks/first_use.hpp"
#include "the_field.hpp"

namespace rondo {

namespace {
[[noreturn]] void refuse(
  const char* task, const std::source_location& where, const std::string& why) {
  std::string what = detail::place(where);
  what += ": ";
  what += task;
  what += ": ";
  what += why;
  throw std::invalid_argument(what);
}

} // namespace

detail::topology_state& scheduler::begin_launch(detail::step_kind kind, const launch_site& l,
  std::uint64_t hash_of_name, std::span<const detail::launch_argument> uses) {
  if constexpr(detail::is_checked)
    detail::note_returns(__builtin_frame_address(0));
  refuse_in_task(l);
  detail::topology_state* over = nullptr;
  const auto look_at = [&over](detail::topology_state& t) {
    if(over == nullptr || (over->is_replicated() && !t.is_replicated()))
      over = &t;
  };
  detail::launch_subject on;
  for(const detail::launch_argument& u : uses) {
    on.add(u.number());
    if(u.field == nullptr)
      look_at(*u.of);
  }
  for(const detail::launch_argument& u : uses)
    if(u.field != nullptr)
      look_at(*u.of);
  note_launch(kind, l, hash_of_name, on);
  for(const detail::launch_argument& u : uses)
    if(u.of != over)
      check(l, *over, u);
  if constexpr(detail::is_checked)
    detail::note_first_uses(uses, {l.task, l.where}, rank());
  return *over;
}

void scheduler::check(
  const launch_site& l, const detail::topology_state& over, const detail::launch_argument& a) {
  const bool fits = a.of->is_replicated() || a.of->has_colors_of(over);
  if(a.field == nullptr) {
    if(!fits)
      refuse(l.task, l.where,
        "it is given two topologies that are not cut into the same colors; for values of "
        "each color of a mesh make an index of it: topo::index pieces{mesh}, for a coarser mesh "
        "mesh.coarsened(2)");
  }
  else if(!fits)
    refuse(l.task, l.where,
      detail::the_field(a.field->name()) + " belongs to another topology than the other arguments");
  else if(a.of->is_replicated() && a.is_written() && !over.is_replicated())
    refuse(l.task, l.where,
      "it writes " + detail::the_field(a.field->name(), "global field") +
        ", but runs once for each color of another topology; reduce to a value, and write "
        "it by a task over global fields");
}

void scheduler::check_contributions(
  const launch_site& l, std::span<const detail::launch_argument> uses) {
  for(const detail::launch_argument& a : uses)
    for(const detail::launch_argument& b : uses)
      if(&a != &b && a.field != nullptr && a.field == b.field && a.ghosts == privilege::folds)
        refuse(l.task, l.where,
          "it contributes to " + detail::the_field(a.field->name()) +
            ", and gets it for another parameter as well; read what was there before from "
            "another field");
}

void scheduler::check_replicated(const launch_site& l, const detail::topology_state& t) {
  if(!t.is_replicated())
    refuse(l.task, l.where,
      "it runs once on each rank, for all colors of a mesh: make the parameter per_color<...>");
}

void scheduler::refuse_launch(const launch_site& l) const {
  if(occupied_ == occupation::calls_mpi)
    refuse(l.task, l.where, "launched by a task that calls MPI, while nothing else may run");
  if(occupied_ == occupation::says_costs)
    refuse(l.task, l.where,
      "launched by the function that says what a color costs, which is called for each color of a "
      "rank, while all "
      "ranks have to launch the same; launch it before balance, and let the function look at what "
      "it has found "
      "(docs/balance.md)");
  if(detail::current_fiber() == maker_)
    refuse(l.task, l.where,
      "launched after fields were swapped, as by std::swap(u, v), in the body of repeat() or "
      "iterate(): passes are "
      "launched ahead, as many as there is room for, and so each rank would have another field "
      "there after the "
      "loop; launch both directions in one pass, or take a plain loop (docs/mistakes.md)");
  refuse(l.task, l.where,
    "launched by a task, while only the program itself launches: all ranks have to launch the "
    "same; launch it "
    "after that task, or take for_each, join, or a flow of the task's own for what is inside of "
    "one color "
    "(docs/mistakes.md)");
}

void scheduler::check_may_wait_for_mpi(const launch_site& l) const {
  if(bodies_ != 0)
    refuse(l.task, l.where,
      "MPI was begun without MPI_THREAD_MULTIPLE, so execute_mpi waits for all that was launched "
      "before, and can't be in the body of repeat(), iterate() or when(), which is launched ahead; "
      "ask MPI_Init_thread for MPI_THREAD_MULTIPLE, or leave MPI to Rondo, or take a plain loop");
}

} // namespace rondo
