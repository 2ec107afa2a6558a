// Which launch of a lane is next, and what a crew does where none may start. docs/protocols/flow.md, "Lanes"

#include "lane_work.hpp"

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

launch& lane_work::launch_at(unsigned i) const { return (*claimed_.of)[claimed_.first + i]; }

// ---- claiming ---------------------------------------------------------------------------------

bool lane_work::claim(lane_queue& which, std::uint32_t at_most) {
  const lane_queue::range r = which.claim(std::min(at_most, batch::most));
  if(r.count == 0)
    return false;
  which.prepare(r);
  claimed_.of = &which;
  claimed_.first = r.first;
  claimed_.pending = r.count == batch::most ? ~std::uint64_t{0} : (std::uint64_t{1} << r.count) - 1;
  return true;
}

/// The lane is nobody else's, so there is no need to leave any of it.
bool lane_work::claim_own(const lane_queues& lanes) {
  flow_crew& c = crew_;
  if(c.seat >= lanes.size())
    return false;
  lane_queue& mine = *lanes[c.seat];
  mine.note_visit(c.now_);
  if(!claim(mine, mine.at_a_time.most()))
    return false;
  c.begin_claimed(static_cast<std::uint32_t>(std::popcount(claimed_.pending)), &mine.at_a_time,
    worth_claiming_for_choice);
  patience_ = std::clamp(patience_in_launches * c.each_, least_patience_in_lane, most_patience);
  claimed_.is_own = true;
  helped_in_vain_ = 0;
  say_running(true);
  return true;
}

bool lane_work::help_others(const lane_queues& lanes) {
  flow_crew& c = crew_;
  const std::uint64_t mine = c.seat < lanes.size() ? lanes[c.seat]->at_a_time.mean() : 0;
  const auto may_help = [this, &c, mine](const lane_queue& lane) {
    const claim_size& its = lane.at_a_time;
    if(its.most() <= few_at_a_time &&
       static_cast<double>(its.mean()) > much_longer * static_cast<double>(mine))
      return helped_in_vain_ < most_in_vain;
    return helped_in_vain_ == 0 &&
           (lane.is_away() || static_cast<std::int64_t>(c.now_ - lane.last_visit()) > long_away);
  };
  for(std::size_t i = 1; i <= lanes.size(); ++i) {
    lane_queue& other = *lanes[(c.seat + i) % lanes.size()];
    if(may_help(other) && claim(other, 1)) {
      c.begin_claimed(1, nullptr, 0);
      return true;
    }
  }
  return false;
}

// ---- running ----------------------------------------------------------------------------------

launch* lane_work::next() {
  unsigned looks = 0;
  for(std::uint64_t left = claimed_.pending; left != 0 && looks != most_ahead;
      left &= left - 1, ++looks) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    launch& l = launch_at(i);
    is_ready_ = l.node != nullptr && may_go_on(l);
    if(claimed_.is_own) {
      if(l.node != nullptr && !is_ready_)
        continue;
    }
    else
      helped_in_vain_ = is_ready_ || l.node == nullptr ? 0 : helped_in_vain_ + 1;
    claimed_.pending &= ~(std::uint64_t{1} << i);
    count_for(l.home);
    prefetch_oldest();
    return &l;
  }
  return nullptr;
}

/// Launches that the crew runs from here on are of this batch.
void lane_work::count_for(batch* home) {
  if(home == crew_.from)
    return;
  crew_.tell_ended();
  crew_.from = home;
}

bool lane_work::comes_soon() {
  const executor& ex = running::home(*crew_.home);
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
  crew_.has_waited(now - began);
  if(!has_come)
    patience_ = 0; // until it claims again
  return has_come;
}

bool lane_work::is_any_ready() const {
  unsigned looks = 0;
  for(std::uint64_t left = claimed_.pending; left != 0 && looks != most_ahead;
      left &= left - 1, ++looks)
    if(may_go_on(launch_at(static_cast<unsigned>(std::countr_zero(left)))))
      return true;
  return false;
}

/// Or about to be.
bool lane_work::are_others_running() const {
  const crew_room& room = running::room(*crew_.home);
  const executor& ex = running::home(*crew_.home);
  if(room.running.load(std::memory_order_relaxed) > (is_said_running_ ? 1U : 0U))
    return true;
  if(!room.at_work.is_any_but(crew_.seat, ex.workers()) || !engine_of(ex).anyone_searches())
    return false;
  worker_here().show_stock();
  return true;
}

bool lane_work::stalls() {
  for(;;) {
    const missing m = first_missing(claimed_.oldest());
    if(m.what == nullptr)
      return false;
    if(stalls_until(*m.what, m.turn))
      return true;
  }
}

bool lane_work::stalls_until(progress& what, std::uint64_t turn) {
  crew_.tell_ended();
  say_running(false);
  stall_.of = &crew_;
  stall_.go_on = &lane_work::go_on;
  if(what.park(stall_, turn))
    return true;
  say_running(true);
  return false;
}

void lane_work::go_on(turn_wait& w, crew* here) {
  flow_crew& c = *static_cast<stall&>(w).of;
  if(here != nullptr)
    worker_here().push_task(&c);
  else
    engine_of(running::home(*c.home)).enqueue(&c);
}

bool lane_work::leave() {
  for(std::uint64_t left = claimed_.pending; left != 0; left &= left - 1) {
    launch& l = launch_at(static_cast<unsigned>(std::countr_zero(left)));
    if(crew_.is_long_and_ready(l))
      continue;
    claimed_.pending &= ~(left & -left);
    if(!running::go(l, &crew_))
      return false;
  }
  return true;
}

// ---- what other crews see ---------------------------------------------------------------------

void lane_work::say_running(bool is_running) {
  if(is_running == is_said_running_)
    return;
  is_said_running_ = is_running;
  running::room(*crew_.home).running.fetch_add(is_running ? 1U : ~0U, std::memory_order_relaxed);
}

void lane_work::go_away() {
  if(lane_queue* const mine = own(); mine != nullptr)
    mine->go_away();
}

void lane_work::come_back() {
  if(lane_queue* const mine = own(); mine != nullptr)
    mine->come_back();
}

lane_queue* lane_work::own() const {
  const lane_queues* const all = running::room(*crew_.home).lanes.load(std::memory_order_acquire);
  return all != nullptr && crew_.seat < all->size() ? (*all)[crew_.seat].get() : nullptr;
}

} // namespace rondo::detail::inline tracing
