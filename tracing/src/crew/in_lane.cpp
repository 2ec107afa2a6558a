// Crews in the lanes of a flow: each runs what its own has, in any order that is possible, and waits for the
// others. docs/protocols/flow.md, "Lanes"

#include <algorithm>
#include <bit>

#include <rondo/core/pause.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/flow.hpp>

#include "../running.hpp"
#include "flow_crew.hpp"
#include "patience.hpp"

namespace rondo::detail::inline tracing {

namespace {

/// A crew claims as much as takes about this long: as what may run depends on others, there has to be a choice.
constexpr std::uint64_t worth_claiming_for_choice = 1'000'000;
/// A lane whose crew has not been there for so long may need help: that is longer than what it claims takes.
constexpr std::int64_t long_away = 2 * worth_claiming_for_choice;
/// A lane of which no more are claimed at a time has launches that take some 30 us and more: to get one from another core costs little
/// beside that. It has as many launches as other lanes, so if they take so much longer, it has more to do.
constexpr std::uint32_t few_at_a_time = 8;
constexpr double much_longer = 1.5;
/// Of such launches so many may be in vain, one after the other: that costs each of them a percent or two. Of others one.
constexpr unsigned most_in_vain = 16;
/// Launches that it looks at for one that may start.
constexpr unsigned most_ahead = 16;
constexpr unsigned looks_of_one_clock = 4;

/// Something that has to be reached before the launch, which is of a trace. If `what` is null nothing is missing, and the launch may go on.
struct missing {
  progress* what = nullptr;
  std::uint64_t turn = 0;
};

missing first_missing(const launch& l) {
  const template_node& n = *l.node;
  const edge* const end = n.edges + n.edge_count;
  if(const edge* const e = first_missing(n.edges, end, l.round); e != end)
    return {&e->from(), e->turn(l.round)};
  if(l.enters)
    for(unsigned i = 0; i != l.kind->accesses; ++i)
      if(const access_entry& a = l.accesses()[i];
         a.mode != access_mode::reduce && !a.to->running().reached(a.turn))
        return {&a.to->running(), a.turn};
  return {};
}

bool may_go_on(const launch& l) { return first_missing(l).what == nullptr; }

} // namespace

/// The oldest that may start. If it is helping, it takes the launch in any case.
launch* flow_crew::next_in_its_lane() {
  unsigned looks = 0;
  for(std::uint64_t left = in_lane.pending; left != 0 && looks != most_ahead;
      left &= left - 1, ++looks) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    launch& l = (*in_lane.of)[in_lane.first + i];
    is_ready_ = l.node != nullptr && may_go_on(l);
    if(in_lane.is_own) {
      if(l.node != nullptr && !is_ready_)
        continue;
    }
    else
      helped_in_vain_ = is_ready_ || l.node == nullptr ? 0 : helped_in_vain_ + 1;
    in_lane.pending &= ~(std::uint64_t{1} << i);
    if(l.home != from) {
      tell_ended();
      from = l.home;
    }
    if(in_lane.pending != 0) {
      const auto* const later = reinterpret_cast<const char*>(&in_lane.oldest());
      __builtin_prefetch(later);
      __builtin_prefetch(later + cache_line);
    }
    return &l;
  }
  return nullptr;
}

launch& lane_claim::oldest() const {
  return (*of)[first + static_cast<unsigned>(std::countr_zero(pending))];
}

/// In a lane what launches wait for is mostly being run by the crew of another one, and about to end.
/// Returns true if it has.
bool flow_crew::comes_soon() {
  const executor& ex = running::home(*home);
  const std::uint64_t began = ticks();
  std::uint64_t now = began;
  bool has_come = false;
  // A crew that waits for messages has to look for them.
  while(!has_come && now - began < patience_ && !engine_of(ex).poller_is_wanted() &&
        are_others_running()) {
    for(unsigned i = 0; i != looks_of_one_clock && !has_come; ++i) {
      pause();
      has_come = is_any_ready();
    }
    now = ticks();
  }
  waited += now - began;
  if(!has_come)
    patience_ = 0; // until it claims again
  return has_come;
}

bool flow_crew::is_any_ready() const {
  unsigned looks = 0;
  for(std::uint64_t left = in_lane.pending; left != 0 && looks != most_ahead;
      left &= left - 1, ++looks)
    if(may_go_on((*in_lane.of)[in_lane.first + static_cast<unsigned>(std::countr_zero(left))]))
      return true;
  return false;
}

/// Or about to be.
bool flow_crew::are_others_running() const {
  const crew_room& room = running::room(*home);
  if(room.running.load(std::memory_order_relaxed) > (is_said_running_ ? 1U : 0U))
    return true;
  if(!room.at_work.is_any_but(seat, running::home(*home).workers()) ||
     !engine_of(running::home(*home)).anyone_searches())
    return false;
  worker_here().show_stock();
  return true;
}

/// The lane goes on when that has ended which its oldest launch waits for. Returns true if the crew is told
/// then, and is not looked at any more.
bool flow_crew::stalls() {
  for(;;) {
    const missing m = first_missing(in_lane.oldest());
    if(m.what == nullptr)
      return false;
    if(stalls_until(*m.what, m.turn))
      return true;
  }
}

bool flow_crew::stalls_until(progress& what, std::uint64_t turn) {
  crew_room& room = running::room(*home);
  tell_ended();
  say_running(room, false);
  stall_.of = this;
  stall_.go_on = &flow_crew::go_on;
  if(what.park(stall_, turn))
    return true;
  say_running(room, true);
  return false;
}

void flow_crew::go_on(turn_wait& w, crew* here) {
  flow_crew& c = *static_cast<stall&>(w).of;
  if(here != nullptr)
    worker_here().push_task(&c);
  else
    engine_of(running::home(*c.home)).enqueue(&c);
}

void flow_crew::rests() { say_running(running::room(*home), false); }

void flow_crew::say_running(crew_room& room, bool is_running) {
  if(is_running == is_said_running_)
    return;
  is_said_running_ = is_running;
  room.running.fetch_add(is_running ? 1U : ~0U, std::memory_order_relaxed);
}

bool flow_crew::claim_in_lane(lane_queue& which, std::uint32_t at_most) {
  const lane_queue::range r = which.claim(std::min(at_most, batch::most));
  if(r.count == 0)
    return false;
  in_lane.of = &which;
  in_lane.first = r.first;
  in_lane.pending = r.count == batch::most ? ~std::uint64_t{0} : (std::uint64_t{1} << r.count) - 1;
  return true;
}

/// Of the lane with its own number: that is nobody else's, so there is no need to leave any of it.
bool flow_crew::claim_own(const lane_queues& lanes) {
  if(seat >= lanes.size())
    return false;
  lane_queue& own = *lanes[seat];
  own.note_visit(now_);
  if(!claim_in_lane(own, own.at_a_time.most()))
    return false;
  begin_claimed(static_cast<std::uint32_t>(std::popcount(in_lane.pending)), &own.at_a_time,
    worth_claiming_for_choice);
  patience_ = std::clamp(patience_in_launches * each_, least_patience_in_lane, most_patience);
  in_lane.is_own = true;
  helped_in_vain_ = 0;
  say_running(running::room(*home), true);
  return true;
}

void flow_crew::go_away() {
  is_away_ = true;
  if(lane_queue* const own = own_lane(); own != nullptr)
    own->go_away();
}

void flow_crew::come_back() {
  is_away_ = false;
  if(lane_queue* const own = own_lane(); own != nullptr)
    own->come_back();
}

lane_queue* flow_crew::own_lane() const {
  const lane_queues* const all = running::room(*home).lanes.load(std::memory_order_acquire);
  return all != nullptr && seat < all->size() ? (*all)[seat].get() : nullptr;
}

/// If a crew is busy with something long, or is kept from working.
bool flow_crew::help_others(const lane_queues& lanes) {
  const std::uint64_t own = seat < lanes.size() ? lanes[seat]->at_a_time.mean() : 0;
  const auto may_help = [this, own](const lane_queue& lane) {
    const claim_size& its = lane.at_a_time;
    if(its.most() <= few_at_a_time &&
       static_cast<double>(its.mean()) > much_longer * static_cast<double>(own))
      return helped_in_vain_ < most_in_vain;
    return helped_in_vain_ == 0 &&
           (lane.is_away() || static_cast<std::int64_t>(now_ - lane.last_visit()) > long_away);
  };
  for(std::size_t i = 1; i <= lanes.size(); ++i) {
    lane_queue& other = *lanes[(seat + i) % lanes.size()];
    if(may_help(other) && claim_in_lane(other, 1)) {
      begin_claimed(1, nullptr, 0);
      return true;
    }
  }
  return false;
}

} // namespace rondo::detail::inline tracing
