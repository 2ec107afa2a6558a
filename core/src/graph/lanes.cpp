// A fixed plan for several workers; the protocol is in docs/graph.md.

#include "state.hpp"

#include <rondo/core/pause.hpp>

namespace rondo::detail::inline core {

namespace {
/// No lane of a graph of short nodes has to wait for so long, unless its neighbour's worker has
/// lost its core.
constexpr auto patience = std::chrono::milliseconds(1);
constexpr unsigned rounds_between_clocks = 128;
} // namespace

void graph_state::run_lanes(job* j, worker& w) {
  graph_state& self = *static_cast<helper_job*>(j)->state;
  w.begin_task();
  self.lanes(w);
  worker_here().end_task();
  self.end_of_job();
}

/// Leaves the lanes to others, if there are any.
bool graph_state::leave_lanes() {
  auto inside = inside_.load(std::memory_order_relaxed);
  while(inside > 1)
    if(inside_.compare_exchange_weak(inside, inside - 1, std::memory_order_relaxed))
      return true;
  return false;
}

/// Works on lanes until all of them have ended or the run is stopped. A worker keeps to one lane
/// as long as it can; a lane that must wait for one that nobody works on is left for that one.
///
/// Workers that are not really running (more threads than cores) would make each other wait for
/// a time slice at every crossing. So the first long wait ends the run's parallelism: all but
/// one worker leave, and the last one goes from lane to lane without ever waiting.
void graph_state::lanes(worker& w) {
  std::uint32_t wanted = w.index() % workers_;
  inside_.fetch_add(1, std::memory_order_relaxed);
  for(;;) {
    if(crowded_.load(std::memory_order_relaxed) && leave_lanes())
      return;
    // Take the wanted lane, or the next that is to be had.
    bool all_ended = true;
    bool have = false;
    for(unsigned i = 0; i != workers_ && !have; ++i) {
      lane_state& lane = lanes_[wanted];
      if(!lane.ended.load(std::memory_order_acquire)) {
        all_ended = false;
        // Acquire: the position where another worker has left the lane.
        have = !lane.claimed.load(std::memory_order_relaxed) &&
               !lane.claimed.exchange(true, std::memory_order_acquire);
      }
      if(!have)
        wanted = wanted + 1 == workers_ ? 0 : wanted + 1;
    }
    if(all_ended || stopping()) {
      if(have)
        lanes_[wanted].claimed.store(false, std::memory_order_release);
      return;
    }
    if(!have) { // every lane has a worker: be useful elsewhere
      const auto is_wanted = [this] {
        bool all_at_end = true;
        for(unsigned i = 0; i != workers_; ++i) {
          const bool ended = lanes_[i].ended.load(std::memory_order_acquire);
          all_at_end = all_at_end && ended;
          if(!ended && !lanes_[i].claimed.load(std::memory_order_relaxed))
            return true;
        }
        return all_at_end || stopping();
      };
      for(unsigned round = 0; round != rounds_between_clocks && !is_wanted(); ++round)
        pause();
      executor_->wait_until(is_wanted);
      continue;
    }
    std::uint32_t blocked_by = wanted;
    const auto result = advance(wanted, blocked_by);
    lanes_[wanted].claimed.store(false, std::memory_order_release);
    if(result == advance_result::stopped)
      return;
    if(result == advance_result::blocked)
      wanted = blocked_by;
  }
}

graph_state::advance_result graph_state::advance(std::uint32_t number, std::uint32_t& blocked_by) {
  lane_state& lane = lanes_[number];
  const auto& plan = lane_plan_->lanes[number];
  while(lane.segment != plan.segments.size()) {
    const auto& segment = plan.segments[lane.segment];
    const auto waits_begin = lane.segment == 0 ? 0 : plan.segments[lane.segment - 1].waits_end;
    for(auto i = waits_begin; i != segment.waits_end; ++i) {
      const auto [other, position] = plan.waits[i];
      lane_state& awaited = lanes_[other];
      // Acquire: what the nodes up to that position wrote.
      std::chrono::steady_clock::time_point since;
      for(unsigned round = 0; awaited.progress.load(std::memory_order_acquire) < position;
          ++round) {
        if(stopping())
          return advance_result::stopped;
        if(round % rounds_between_clocks == rounds_between_clocks - 1) {
          const auto now = std::chrono::steady_clock::now();
          if(round < rounds_between_clocks)
            since = now;
          else if(now - since > patience)
            crowded_.store(true, std::memory_order_relaxed);
        }
        if(crowded_.load(std::memory_order_relaxed) ||
           !awaited.claimed.load(std::memory_order_relaxed)) {
          blocked_by = other;
          return advance_result::blocked;
        }
        pause();
      }
    }
    try {
      run_segment(lane, number, segment.end);
    }
    catch(...) {
      fail(plan.nodes[lane.position]);
    }
    if(lane.position != segment.end)
      return advance_result::stopped;
    if(segment.tells)
      lane.progress.store(segment.end, std::memory_order_release);
    ++lane.segment;
  }
  lane.finished = true;
  lane.ended.store(true, std::memory_order_release);
  return advance_result::finished;
}

void graph_state::run_segment(lane_state& lane, std::uint32_t number, std::uint32_t end) {
  struct keep_position {
    std::uint32_t& kept;
    std::uint32_t at;
    ~keep_position() { kept = at; }
  } position{lane.position, lane.position};
  auto& at = position.at;
  if(worker_here().observed()) [[unlikely]] {
    for(; at != end && !stopping(); ++at)
      call(lane.copies.empty() ? *lane.bodies[at] : lane.copies[at],
        lane_plan_->lanes[number].nodes[at]);
    return;
  }
  if(graph_body* const copies = lane.copies.data()) {
    for(; at != end && !stopping(); ++at)
      copies[at].invoke(copies[at].storage);
    return;
  }
  graph_body* const* const bodies = lane.bodies.data();
  const auto size = static_cast<std::uint32_t>(lane.bodies.size());
  for(; at != end && !stopping(); ++at) {
    if(at + 8 < size)
      __builtin_prefetch(bodies[at + 8]);
    bodies[at]->invoke(bodies[at]->storage);
  }
}

} // namespace rondo::detail::inline core
