// The life of a run: begin, launch, stop, go on, finish, wait.

#include "state.hpp"

#include <stdexcept>
#include <thread>
#include <utility>

namespace rondo::detail::inline core {

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
  stop_.store(nothing, std::memory_order_relaxed);
  was_cancelled_.store(false, std::memory_order_relaxed);
  active_.store(1, std::memory_order_relaxed); // the launch
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
    engine_of(*executor_).begin_activity();
    linear(w);
    end_of_job();
  }
  else {
    engine_of(*executor_).begin_activity();
    launch(w);
  }
  wait();
}

void graph_state::start(executor& ex) {
  begin(ex);
  engine_of(ex).begin_activity();
  if(graph_.empty()) {
    end_of_job();
    return;
  }
  launch_from_anywhere();
}

void graph_state::run_launch(job* j, worker& w) { static_cast<helper_job*>(j)->state->launch(w); }

/// Puts all jobs of the run, or what a stop has left of them, where workers find them. The launch
/// itself counts as active, so that the run does not end before all of them are there.
void graph_state::launch(worker& w) {
  if(mode_ == graph_mode::dynamic) {
    const std::vector<std::uint32_t> left = take_suspended();
    const auto& first = whole_ ? shape_->sources : left;
    tidy_ = false; // until everything has run
    active_.fetch_add(first.size(), std::memory_order_relaxed);
    for(std::size_t i = first.size(); i-- != 0;) // the last pushed is the first run
      w.push_task(&nodes_[first[i]]);
    end_of_job();
    return;
  }
  const std::size_t count = mode_ == graph_mode::lanes ? workers_ : 1;
  helpers_.assign(count, helper_job{{mode_ == graph_mode::lanes ? &run_lanes : &run_linear}, this});
  active_.fetch_add(count, std::memory_order_relaxed);
  inside_.store(0, std::memory_order_relaxed);
  for(auto& helper : helpers_)
    w.push_task(&helper);
  end_of_job();
}

/// The same from any thread.
void graph_state::launch_from_anywhere() {
  if(worker* const w = this_worker(); w != nullptr && &w->home() == executor_) {
    launch(*w);
    return;
  }
  helpers_.assign(1, helper_job{{&run_launch}, this});
  engine_of(*executor_).inject(helpers_.data());
}

/// The last access of a job to this run, and for the last of them, to this graph.
void graph_state::end_of_job() {
  // acq_rel: the last one sees everything that the others did.
  if(active_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    finish();
}

/// Returns true if nodes are left that have not run. For the thread that ends the last job.
bool graph_state::any_left() const {
  if(mode_ == graph_mode::dynamic)
    return !suspended_.empty();
  if(mode_ == graph_mode::linear)
    return linear_position_ != graph_.size();
  for(unsigned l = 0; l != workers_; ++l)
    if(!lanes_[l].finished)
      return true;
  return false;
}

void graph_state::finish() {
  const bool is_left = failure_ == nullptr && !graph_.empty() && any_left();
  if(is_left) {
    whole_ = false;
    if(!stopping()) { // they were left because of a stop that has been taken back
      active_.store(1, std::memory_order_relaxed);
      launch_from_anywhere();
      return;
    }
  }
  if(!is_left && failure_ == nullptr) {
    tidy_ = nodes_.size() != 0;
    if(whole_ && fixed_order_ && !one_by_one_ && !was_cancelled_.load(std::memory_order_relaxed)) {
      const auto time = std::chrono::steady_clock::now() - began_;
      pace_.ran(time, graph_.size(), workers_);
    }
  }
  executor& ex = *executor_;
  // After the exchange the waiter may destroy the graph. Release: all that the nodes did.
  if(status_.exchange(is_left ? stopped : done, std::memory_order_seq_cst) == watched)
    engine_of(ex).wake_waiters();
  engine_of(ex).end_activity();
}

void graph_state::wait() {
  if(status_.load(std::memory_order_acquire) == ready)
    return;
  const auto over = [this](wait_phase phase) {
    auto seen = status_.load(std::memory_order_acquire);
    if(phase == wait_phase::about_to_sleep && seen == running)
      status_.compare_exchange_strong(seen, watched, std::memory_order_seq_cst);
    seen = status_.load(std::memory_order_seq_cst);
    return seen != running && seen != watched;
  };
  if(worker* const w = this_worker(); w != nullptr && &w->home() == executor_)
    engine_of(*executor_).wait_on(*w, over);
  else
    engine_of(*executor_).help_until(over);
  if(status_.load(std::memory_order_acquire) == stopped)
    return;
  std::exception_ptr failure;
  std::swap(failure, failure_);
  suspended_.clear();
  status_.store(ready, std::memory_order_release);
  if(failure != nullptr)
    std::rethrow_exception(failure);
}

void graph_state::cancel() {
  was_cancelled_.store(true, std::memory_order_relaxed);
  std::uint8_t expected = nothing; // a failure stays one
  stop_.compare_exchange_strong(expected, cancelled, std::memory_order_relaxed);
}

void graph_state::resume() {
  for(;;) {
    // The run can't end while we count as one of its jobs. Acquire, as in end_of_job.
    auto active = active_.load(std::memory_order_relaxed);
    while(active != 0)
      if(active_.compare_exchange_weak(active, active + 1, std::memory_order_acquire)) {
        resume_under_way();
        end_of_job();
        return;
      }
    auto seen = status_.load(std::memory_order_acquire);
    if(seen == stopped &&
       status_.compare_exchange_strong(seen, running, std::memory_order_acquire)) {
      stop_.store(nothing, std::memory_order_relaxed);
      active_.store(1, std::memory_order_relaxed);
      engine_of(*executor_).begin_activity();
      launch_from_anywhere();
      return;
    }
    if(seen == ready || seen == done)
      return;
    std::this_thread::yield(); // somebody is just ending the run, or going on with it
  }
}

/// Nodes that were put aside before the stop was taken back are put where they are found. What else
/// is left when the last job ends, `finish` goes on with.
void graph_state::resume_under_way() {
  std::vector<std::uint32_t> left;
  {
    const std::lock_guard lock(suspended_mutex_);
    std::uint8_t expected = cancelled; // not a failure
    if(!stop_.compare_exchange_strong(expected, nothing, std::memory_order_relaxed))
      return;
    left.swap(suspended_);
  }
  active_.fetch_add(left.size(), std::memory_order_relaxed);
  for(std::size_t i = left.size(); i-- != 0;)
    engine_of(*executor_).enqueue(&nodes_[left[i]]);
}

std::vector<std::uint32_t> graph_state::take_suspended() {
  const std::lock_guard lock(suspended_mutex_);
  return std::exchange(suspended_, {});
}

/// For a node that is ready while the run is to stop. Returns false if the stop has been taken back
/// meanwhile: then the node is to run after all.
bool graph_state::put_aside(std::uint32_t node) {
  const std::lock_guard lock(suspended_mutex_);
  if(!stopping())
    return false;
  suspended_.push_back(node);
  return true;
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
  stop_.store(failed, std::memory_order_relaxed);
}

int graph_state::call(graph_body& body, std::uint32_t index) {
  int result = 0;
  worker& w = worker_here();
  w.observe(
    [&] {
      return task_info{task_info::kind_type::node, graph_.name_of(index)};
    },
    [&] { result = body.invoke(body.storage); });
  return result;
}

} // namespace rondo::detail::inline core
