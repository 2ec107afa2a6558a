#include <rondo/distributed/mpi_turn.hpp>

#include <algorithm>

#include <rondo/distributed/scheduler.hpp>

#include "waiting_thread.hpp"

namespace rondo {

namespace detail::inline distributed {

mpi_turns::mpi_turns(scheduler& s)
    : messages_(s.messages()), region_(s.launches(), turn_, "tasks that call MPI"),
      thread_(std::make_unique<waiting_thread>(s.home())) {}
mpi_turns::~mpi_turns() = default;

std::span<const region_access> mpi_turns::accesses(
  std::span<const launch_argument> uses, const std::source_location& where) {
  accesses_.clear();
  const auto add = [&](region<color_block>& r, bool is_written) {
    accesses_.emplace_back(
      is_written ? region_access(rondo::write(r, where)) : region_access(rondo::read(r, where)));
  };
  for(auto u = uses.begin(); u != uses.end(); ++u) {
    const auto is_same = [&](const launch_argument& a) { return a.field == u->field; };
    if(u->field == nullptr || std::any_of(uses.begin(), u, is_same))
      continue;
    // A launch has a region once, whatever parameters it is for.
    const auto any = [&](bool (*does)(privilege), privilege launch_argument::*part) {
      return std::any_of(
        u, uses.end(), [&](const launch_argument& a) { return is_same(a) && does(a.*part); });
    };
    constexpr auto is_used = [](privilege p) { return p != na; };
    constexpr auto is_written = [](privilege p) { return writes(p); };
    const std::size_t colors = u->of->is_replicated() ? 1 : u->of->local_colors();
    for(std::size_t c = 0; c != colors; ++c) {
      const std::size_t which = u->field->seen_by(c);
      if(any(is_used, &launch_argument::owned))
        add(u->field->owned(which), any(is_written, &launch_argument::owned));
      if(any(is_used, &launch_argument::ghosts))
        add(u->field->ghosts(which), any(is_written, &launch_argument::ghosts));
    }
  }
  return accesses_;
}

void mpi_turns::begin(std::unique_ptr<mpi_work> work, rondo::completion done) {
  turn_.work = std::move(work);
  // Messages of this rank may need somebody who polls until they have left, and other ranks may need it to get to where
  // they call MPI. Nothing else here need wait for a message.
  if(messages_.messages().ranks() > 1)
    messages_.want();
  thread_->post([this, done] {
    try {
      messages_.messages().begin_mpi_beside_messages();
      turn_.work->run(turn_);
    }
    catch(...) {
      turn_.failure = std::current_exception();
    }
    turn_.work.reset();
    if(messages_.messages().ranks() > 1)
      messages_.stop_wanting();
    done();
  });
}

} // namespace detail::inline distributed

detail::mpi_turns& scheduler::mpi_turns() {
  if(mpi_ == nullptr)
    mpi_ = std::make_unique<detail::mpi_turns>(*this);
  return *mpi_;
}

} // namespace rondo
