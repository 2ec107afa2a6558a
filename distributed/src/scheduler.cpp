#include <rondo/core/fiber.hpp>
#include <rondo/core/place.hpp>
#include <rondo/distributed/field_copy.hpp>
#include <rondo/distributed/mpi_turn.hpp>
#include <rondo/distributed/scheduler.hpp>

#include <stdexcept>
#include <string>

#include "agree.hpp"
#include "divergence/check.hpp"
#include "failure.hpp"
#include "output/desk.hpp"
#include "waiting_thread.hpp"

namespace rondo {

namespace {
/// Users of meshes don't know of flows.
flow_options named_for_users(flow_options o) {
  o.name = "rondo::scheduler";
  return o;
}

unsigned workers_of_ranks(const executor& ex, transport& t) {
  if(t.planned_workers() != 0)
    return t.planned_workers();
  return static_cast<unsigned>(detail::agree_on_least(t, ex.workers()));
}
/// There is nobody to compare launches with.
bool is_alone(const transport& t) { return t.ranks() == 1 || t.planned_workers() != 0; }
} // namespace

scheduler::scheduler(executor& ex, transport& t, flow_options options)
    : executor_(ex), maker_(&detail::fiber::here()), transport_(t), channels_are_ours_(t),
      workers_(workers_of_ranks(ex, t)), flow_(ex, named_for_users(options)),
      kept_history_(is_alone(t) ? nullptr : std::make_unique<detail::launch_history>()),
      history_(kept_history_.get()),
      check_(history_ == nullptr ? nullptr
                                 : std::make_unique<detail::divergence_check>(t, *history_,
                                     static_cast<std::uint32_t>(std::exchange(channels_,
                                       channels_ + detail::divergence_check::channels)))),
      exceptions_(std::uncaught_exceptions()), messages_(ex, t, &flow_, check_.get()) {}

scheduler::~scheduler() {
  // With a failure on its way this rank ends all others, and does not wait for them.
  const bool has_failed = std::uncaught_exceptions() > exceptions_;
  if(!has_failed)
    end_program();
  let_go();
  if(check_ != nullptr && !has_failed)
    check_->finish();
}

void scheduler::end_program() {
  if(!std::exchange(has_ended_, true))
    note(detail::step_kind::end, std::source_location());
}

void scheduler::note_made(detail::step_kind kind, const std::source_location& where,
  std::uint32_t number, std::uint64_t properties, std::string name) {
  if(history_ == nullptr)
    return;
  history_->call(number, std::move(name));
  detail::launch_subject on;
  on.add(number);
  on.hash += properties;
  history_->note(kind, where, on);
}

void scheduler::wait(std::source_location where) {
  if constexpr(detail::is_checked)
    detail::note_returns(__builtin_frame_address(0));
  if(detail::current_fiber() != maker_)
    throw std::logic_error(
      detail::place(where) +
      ": wait is called by a task, while only the program itself waits for what it launches: a "
      "task is one of these. "
      "What comes after it is launched after it, and runs behind it by itself; a task that "
      "launches inside of one color "
      "makes a flow of its own, rondo::flow flow(rondo::this_worker()->home()), and waits for "
      "that: flow.wait() (docs/mistakes.md)");
  let_go(where);
  if(failure_ == nullptr)
    return;
  thrown_ = std::exchange(failure_, nullptr);
  std::rethrow_exception(thrown_);
}

std::string scheduler::failed_task(const std::exception_ptr& thrown) const {
  return thrown != nullptr && thrown == thrown_ ? failed_task_ : std::string();
}

void scheduler::end_use_of(const detail::topology_state& over) {
  std::erase(topologies_, &over);
  end_collectives_of(over);
}

void scheduler::end_collectives_of(const detail::topology_state& over) {
  std::erase_if(
    collectives_, [n = over.number()](const collective_entry& e) { return e.over == n; });
  if(output_ != nullptr)
    output_->forget(over.number());
}

void scheduler::let_go(const std::source_location& where) noexcept {
  try {
    flow_.wait(where);
    separated_.clear();
  }
  catch(...) {
    const std::exception_ptr why = std::current_exception();
    const std::string task = detail::with_maker(executor_, flow_.last_failed_launch(), why);
    // Other ranks would wait for what the task has not done, or go on without it: nobody can catch that here.
    if(ranks() > 1)
      detail::end_all(transport_, task, why);
    if(failure_ == nullptr) {
      failure_ = why;
      failed_task_ = task;
    }
    forget_ghosts(); // some were to be filled after the failure
    launch_moves(separated_);
  }
}

std::uint32_t scheduler::used_channel() {
  if(free_channels_.empty()) {
    const std::string limit = std::to_string(transport_.most_channel()) +
                              ", the most that the transport " + transport_.name() +
                              " can tell apart" +
                              (transport_.name() == std::string("mpi") ? " (MPI_TAG_UB)" : "");
    if(given_back_.empty())
      throw std::runtime_error(
        "rondo: no channel is left for another field or reduction: there are " + limit +
        "; keep fewer fields and topologies at a time");
    if(bodies_ != 0)
      throw std::logic_error(
        "rondo: ranks have to agree on which channels are used again, since all " + limit +
        ", have been used, and can't do so in the body of a loop whose "
        "passes are launched ahead; launch the reduction once before the loop");
    // A rank that has given a channel back may still get what another one sends there, to a receive that
    // it has given up only now. Once all have come here nobody uses any of those.
    let_go();
    transport_.meet();
    free_channels_.swap(given_back_);
  }
  const std::uint32_t c = free_channels_.back();
  free_channels_.pop_back();
  return c;
}

} // namespace rondo
