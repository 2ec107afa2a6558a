// The life of a run: begin, launch, stop, go on, finish, wait.

#include "state.hpp"

#include <stdexcept>

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

void graph_state::run_launch(job* j, worker& w) { static_cast<helper_job*>(j)->state->launch(w); }

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
  helpers_.assign(count, helper_job{{mode_ == graph_mode::lanes ? &run_lanes : &run_linear}, this});
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
    if(whole_ && fixed_order_ && !one_by_one_) {
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
    executor_->wait_on(*w, over);
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

int graph_state::call(graph_body& body, std::uint32_t index) {
  int result = 0;
  worker& w = worker_here();
  if(w.observed()) [[unlikely]]
    w.observe({task_info::kind_type::node, graph_.name_of(index)},
      [&] { result = body.invoke(body.storage); });
  else
    result = body.invoke(body.storage);
  return result;
}

} // namespace rondo::detail::inline core
