#include "state.hpp"

#include <stdexcept>
#include <string>

#include <rondo/core/pause.hpp>

namespace rondo::detail {

namespace {
/// Graphs that are narrower on average have nothing to gain from a second lane.
constexpr double least_width = 2;
} // namespace

// ---- planning --------------------------------------------------------------------------------

void graph_state::change() {
  if(!reusable())
    throw std::logic_error("rondo::graph: changed while it runs, or before graph_run::wait() has "
                           "returned; wait for the run first");
  planned_ = false;
}

void graph_state::prepare(unsigned workers) {
  if(planned_ && workers == workers_)
    return;
  shape_.reset();
  lane_plan_.reset();
  order_.clear();
  nodes_.clear();
  lanes_.reset();
  tidy_ = false;
  pace_ = {};
  workers_ = workers;
  fixed_order_ = graph_.conditions_.empty() && graph_.subgraphs_.empty();
  is_condition_.assign(graph_.conditions_.empty() ? 0 : graph_.size(), false);
  for(const auto i : graph_.conditions_)
    is_condition_[i] = true;
  // One worker needs no more than an order, and usually has one.
  if(!(workers == 1 && fixed_order_ && graph_.forward_)) {
    shape_ = make_adjacency(
      static_cast<std::uint32_t>(graph_.size()), graph_.edges_, is_condition_);
    if(!graph_.forward_) {
      auto order = topological_order(*shape_);
      if(graph_.conditions_.empty() && order.size() != graph_.size()) {
        std::vector<bool> reached(graph_.size());
        for(const auto i : order)
          reached[i] = true;
        std::uint32_t lost = 0;
        while(reached[lost])
          ++lost;
        const std::string name = graph_.name_of(lost);
        throw std::invalid_argument("rondo::graph: node " + std::to_string(lost) +
                                    (name.empty() ? "" : " (" + name + ")") +
                                    " can never start: it lies on or behind a cycle without a "
                                    "condition");
      }
      order_ = std::move(order);
    }
    if(shape_->sources.empty() && !graph_.empty())
      throw std::invalid_argument(
        "rondo::graph: no node can start: every node has a predecessor");
  }
  planned_ = true;
  graph_.changed_ = nullptr; // the next change has to ask
}

void graph_state::prepare_mode() {
  mode_ = workers_ == 1 ? graph_mode::linear : pace_.choose();
  if(!fixed_order_)
    mode_ = graph_mode::dynamic;
  if(mode_ == graph_mode::lanes && !lane_plan_) {
    lane_plan_ =
      make_lanes(*shape_, order_.empty() ? topological_order(*shape_) : order_, workers_);
    if(lane_plan_->width < least_width) {
      pace_.rule_out_lanes();
      mode_ = pace_.choose();
    }
  }
  const auto n = static_cast<std::uint32_t>(graph_.size());
  if(mode_ == graph_mode::dynamic && nodes_.size() == 0) {
    for(std::uint32_t i = 0; i != n; ++i) {
      auto* const made = ::new(static_cast<void*>(nodes_.extend())) node_job;
      made->run = &run_node;
      made->state = this;
      made->index = i;
      made->open.store(shape_->in_degree[i], std::memory_order_relaxed);
    }
    tidy_ = true;
  }
  if(mode_ == graph_mode::dynamic && !tidy_) {
    for(std::uint32_t i = 0; i != n; ++i)
      nodes_[i].open.store(shape_->in_degree[i], std::memory_order_relaxed);
    tidy_ = true;
  }
  if(mode_ == graph_mode::lanes && lanes_ == nullptr) {
    lanes_.reset(new lane_state[workers_]);
    for(unsigned l = 0; l != workers_; ++l) {
      const auto& nodes = lane_plan_->lanes[l].nodes;
      if(graph_.relocatable_) {
        lanes_[l].copies.reserve(nodes.size());
        for(const auto i : nodes)
          lanes_[l].copies.push_back(graph_.bodies_[i]);
        continue;
      }
      lanes_[l].bodies.reserve(nodes.size());
      for(const auto i : nodes)
        lanes_[l].bodies.push_back(&graph_.bodies_[i]);
    }
  }
  if(mode_ != graph_mode::dynamic && pace_.settled())
    nodes_.clear();
  reset_positions();
}

void graph_state::reset_positions() {
  linear_position_ = 0;
  crowded_.store(false, std::memory_order_relaxed);
  if(lanes_ != nullptr)
    for(unsigned l = 0; l != workers_; ++l) {
      auto& lane = lanes_[l];
      lane.segment = lane.position = 0;
      lane.finished = lane_plan_->lanes[l].segments.empty();
      lane.ended.store(lane.finished, std::memory_order_relaxed);
      lane.progress.store(0, std::memory_order_relaxed);
    }
}

// ---- life of a run ---------------------------------------------------------------------------

void graph_state::begin(executor& ex) {
  auto expected = std::uint32_t{ready};
  if(!status_.compare_exchange_strong(expected, running, std::memory_order_acq_rel))
    throw std::logic_error("rondo::graph: run again while it runs, or before graph_run::wait() has "
                           "returned; use two graphs, or wait for the run first");
  try {
    prepare(ex.workers());
    prepare_mode();
  }
  catch(...) {
    status_.store(ready, std::memory_order_release);
    throw;
  }
  executor_ = &ex;
  stop_.store(false, std::memory_order_relaxed);
  failure_ = nullptr;
  whole_ = true;
  began_ = std::chrono::steady_clock::now();
}

void graph_state::run(worker& w) {
  begin(w.home());
  if(graph_.empty()) {
    status_.store(ready, std::memory_order_release);
    return;
  }
  if(mode_ == graph_mode::linear) {
    // Nobody else takes part, so nobody needs to be told.
    active_.store(1, std::memory_order_relaxed);
    executor_->begin_activity();
    linear(w);
    end_of_job();
  }
  else {
    executor_->begin_activity();
    launch(w);
  }
  wait();
}

void graph_state::start(executor& ex) {
  begin(ex);
  ex.begin_activity();
  if(graph_.empty()) {
    finish();
    return;
  }
  helpers_.assign(1, helper_job{{&run_launch}, this});
  if(worker* const w = this_worker(); w != nullptr && &w->home() == &ex)
    launch(*w);
  else
    ex.inject(helpers_.data());
}

void graph_state::run_launch(job* j, worker& w) {
  static_cast<helper_job*>(j)->state->launch(w);
}

/// Puts all jobs of the run, or what a stop has left of them, where workers find them.
void graph_state::launch(worker& w) {
  if(mode_ == graph_mode::dynamic) {
    std::vector<std::uint32_t> left;
    left.swap(suspended_);
    const auto& first = whole_ ? shape_->sources : left;
    tidy_ = false; // until everything has run
    active_.store(first.size(), std::memory_order_relaxed);
    for(std::size_t i = first.size(); i-- != 0;) // the last pushed is the first run
      w.push_task(&nodes_[first[i]]);
    return;
  }
  const std::size_t count = mode_ == graph_mode::lanes ? workers_ : 1;
  helpers_.assign(
    count, helper_job{{mode_ == graph_mode::lanes ? &run_lanes : &run_linear}, this});
  active_.store(count, std::memory_order_relaxed);
  inside_.store(0, std::memory_order_relaxed);
  for(auto& helper : helpers_)
    w.push_task(&helper);
}

/// The last access of a job to this run, and for the last of them, to this graph.
void graph_state::end_of_job() {
  // acq_rel: the last one sees everything that the others did.
  if(active_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    finish();
}

void graph_state::finish() {
  bool is_stopped = false;
  if(stopping() && failure_ == nullptr) {
    is_stopped = !suspended_.empty();
    if(mode_ == graph_mode::linear)
      is_stopped = linear_position_ != graph_.size();
    if(mode_ == graph_mode::lanes)
      for(unsigned l = 0; l != workers_; ++l)
        is_stopped = is_stopped || !lanes_[l].finished;
  }
  if(!is_stopped && failure_ == nullptr) {
    tidy_ = nodes_.size() != 0;
    if(whole_ && workers_ != 1 && fixed_order_) {
      const auto time = std::chrono::steady_clock::now() - began_;
      pace_.ran(time, graph_.size(), workers_);
    }
  }
  if(is_stopped)
    whole_ = false;
  executor& ex = *executor_;
  // After the exchange the waiter may destroy the graph. Release: all that the nodes did.
  if(status_.exchange(is_stopped ? stopped : done, std::memory_order_seq_cst) == watched)
    ex.wake_waiters();
  ex.end_activity();
}

void graph_state::wait() {
  if(status_.load(std::memory_order_acquire) == ready)
    return;
  const auto over = [this](executor::wait_phase phase) {
    auto seen = status_.load(std::memory_order_acquire);
    if(phase == executor::wait_phase::about_to_sleep && seen == running)
      status_.compare_exchange_strong(seen, watched, std::memory_order_seq_cst);
    seen = status_.load(std::memory_order_seq_cst);
    return seen != running && seen != watched;
  };
  if(worker* const w = this_worker(); w != nullptr && &w->home() == executor_)
    executor_->wait_on(*w, over, executor::help::always);
  else
    executor_->help_until(over);
  if(status_.load(std::memory_order_acquire) == stopped)
    return;
  std::exception_ptr failure;
  std::swap(failure, failure_);
  suspended_.clear();
  status_.store(ready, std::memory_order_release);
  if(failure != nullptr)
    std::rethrow_exception(failure);
}

void graph_state::resume() {
  if(status_.load(std::memory_order_acquire) != stopped) {
    stop_.store(false, std::memory_order_relaxed);
    return;
  }
  stop_.store(false, std::memory_order_relaxed);
  status_.store(running, std::memory_order_relaxed);
  executor_->begin_activity();
  if(worker* const w = this_worker(); w != nullptr && &w->home() == executor_) {
    launch(*w);
    return;
  }
  helpers_.assign(1, helper_job{{&run_launch}, this});
  executor_->inject(helpers_.data());
}

void graph_state::give_up() {
  if(status_.load(std::memory_order_acquire) == ready)
    return;
  cancel();
  try {
    wait();
  }
  catch(...) { // nobody is left to hear of it
  }
  suspended_.clear();
  status_.store(ready, std::memory_order_release);
}

void graph_state::fail(std::uint32_t node) noexcept {
  const std::lock_guard lock(failure_mutex_);
  if(failure_ == nullptr || node < failed_node_) {
    failure_ = std::current_exception();
    failed_node_ = node;
  }
  cancel();
}

int graph_state::call(graph_body& body, std::uint32_t index, worker& w) {
  int result = 0;
  if(w.observed()) [[unlikely]]
    w.observe({task_info::kind_type::node, graph_.name_of(index)},
      [&] { result = body.invoke(body.storage); });
  else
    result = body.invoke(body.storage);
  return result;
}

// ---- dynamic ---------------------------------------------------------------------------------

void graph_state::run_node(job* j, worker& w) {
  auto* const node = static_cast<node_job*>(j);
  node->state->run_chain(node->index, w);
}

/// Runs a node, then one that became ready by it, and so on: a chain costs no stack and no
/// visit to the deque.
void graph_state::run_chain(std::uint32_t node, worker& w) {
  for(;;) {
    if(stopping()) [[unlikely]] {
      const std::lock_guard lock(suspended_mutex_);
      suspended_.push_back(node);
      break;
    }
    int choice = 0;
    try {
      choice = call(graph_.bodies_[node], node, w);
    }
    catch(...) {
      fail(node);
      break;
    }
    bool any = false;
    std::uint32_t next = 0;
    const auto targets = shape_->targets(node);
    if(!is_condition_.empty() && is_condition_[node]) {
      if(choice >= 0 && static_cast<std::size_t>(choice) < targets.size()) {
        next = targets[static_cast<std::size_t>(choice)];
        any = true;
      }
    }
    else
      for(const auto t : targets)
        release(t, w, next, any);
    if(!any)
      break;
    node = next;
  }
  end_of_job();
}

/// One predecessor of `node` has run.
void graph_state::release(std::uint32_t node, worker& w, std::uint32_t& next, bool& any) {
  const auto in_degree = shape_->in_degree[node];
  if(in_degree != 1) {
    auto& open = nodes_[node].open;
    // acq_rel: whoever counts to zero sees what all predecessors wrote.
    if(open.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    open.store(in_degree, std::memory_order_relaxed); // ready for the next pass
  }
  if(!any) {
    next = node;
    any = true;
    return;
  }
  active_.fetch_add(1, std::memory_order_relaxed);
  w.push_task(&nodes_[node]);
}

// ---- linear ----------------------------------------------------------------------------------

void graph_state::run_linear(job* j, worker& w) {
  graph_state& self = *static_cast<helper_job*>(j)->state;
  self.linear(w);
  self.end_of_job();
}

void graph_state::linear(worker& w) {
  const auto n = static_cast<std::uint32_t>(graph_.size());
  std::uint32_t at = linear_position_;
  try {
    if(w.observed()) [[unlikely]] {
      for(; at != n && !stopping(); ++at) {
        const auto node = order_.empty() ? at : order_[at];
        call(graph_.bodies_[node], node, w);
      }
    }
    else if(!order_.empty()) {
      for(; at != n && !stopping(); ++at) {
        if(at + 8 < n)
          __builtin_prefetch(&graph_.bodies_[order_[at + 8]]);
        graph_body& body = graph_.bodies_[order_[at]];
        body.invoke(body.storage);
      }
    }
    else {
      graph_.bodies_.for_each_stretch(at, n, [&](graph_body* body, const graph_body* end) {
        for(; body != end && !stopping(); ++body, ++at)
          body->invoke(body->storage);
      });
    }
  }
  catch(...) {
    fail(order_.empty() ? at : order_[at]);
  }
  linear_position_ = at;
}

// ---- lanes -----------------------------------------------------------------------------------

namespace {
/// How often a lane that has to wait looks again before its worker turns to other work.
constexpr unsigned patience = 2000;
} // namespace

void graph_state::run_lanes(job* j, worker& w) {
  graph_state& self = *static_cast<helper_job*>(j)->state;
  self.lanes(w);
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
      job* const other = w.has_stack_room() ? w.find_job() : nullptr;
      if(other != nullptr)
        other->run(other, w);
      else
        pause();
      continue;
    }
    std::uint32_t blocked_by = wanted;
    const auto result = advance(wanted, w, blocked_by);
    lanes_[wanted].claimed.store(false, std::memory_order_release);
    if(result == advance_result::stopped)
      return;
    if(result == advance_result::blocked)
      wanted = blocked_by;
  }
}

graph_state::advance_result
graph_state::advance(std::uint32_t number, worker& w, std::uint32_t& blocked_by) {
  lane_state& lane = lanes_[number];
  const auto& plan = lane_plan_->lanes[number];
  while(lane.segment != plan.segments.size()) {
    const auto& segment = plan.segments[lane.segment];
    const auto waits_begin = lane.segment == 0 ? 0 : plan.segments[lane.segment - 1].waits_end;
    for(auto i = waits_begin; i != segment.waits_end; ++i) {
      const auto [other, position] = plan.waits[i];
      lane_state& awaited = lanes_[other];
      // Acquire: what the nodes up to that position wrote.
      for(unsigned round = 0; awaited.progress.load(std::memory_order_acquire) < position;
          ++round) {
        if(stopping())
          return advance_result::stopped;
        if(round == patience)
          crowded_.store(true, std::memory_order_relaxed);
        if(crowded_.load(std::memory_order_relaxed) ||
           !awaited.claimed.load(std::memory_order_relaxed)) {
          blocked_by = other;
          return advance_result::blocked;
        }
        pause();
      }
    }
    try {
      run_segment(lane, number, segment.end, w);
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

void graph_state::run_segment(
  lane_state& lane, std::uint32_t number, std::uint32_t end, worker& w) {
  struct keep_position {
    std::uint32_t& kept;
    std::uint32_t at;
    ~keep_position() { kept = at; }
  } position{lane.position, lane.position};
  auto& at = position.at;
  if(w.observed()) [[unlikely]] {
    for(; at != end && !stopping(); ++at)
      call(lane.copies.empty() ? *lane.bodies[at] : lane.copies[at],
        lane_plan_->lanes[number].nodes[at], w);
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

} // namespace rondo::detail
