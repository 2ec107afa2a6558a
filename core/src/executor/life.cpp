// Making, resizing and ending an executor and its threads.

#include <rondo/core/executor.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <rondo/core/machine.hpp>

#include "../environment.hpp"
#include "../fiber/overflow.hpp"
#include "../usable.hpp"
#include "directory.hpp"
#include "stillness.hpp"

namespace rondo {

using detail::engine;
using detail::wait_kind;
using detail::wait_phase;

namespace {

/// This machine with only the cores that are asked for.
std::unique_ptr<const machine> machine_for(const executor_options& options) {
  if(!options.bind)
    return nullptr;
  auto some = std::make_unique<machine>(this_machine());
  if(options.cores.empty())
    return some;
  const std::vector<core_info>& all = this_machine().cores;
  some->cores.clear();
  for(const unsigned wanted : options.cores) {
    const auto found = std::ranges::find(all, wanted, &core_info::os_index);
    if(found == all.end())
      throw std::invalid_argument("rondo::executor: there is no core " + std::to_string(wanted) +
                                  " among those that this process may use");
    some->cores.push_back(*found);
  }
  return some;
}

/// Smaller ones would hold no task, and some none of what is called before that.
std::size_t checked_stack_size(const executor_options& options) {
  const auto [least, most] = detail::limits_of("RONDO_STACK_KIB");
  const std::size_t kib = options.stack_size >> 10U;
  if(kib < std::size_t(least) || kib > std::size_t(most))
    throw std::invalid_argument("rondo::executor: a stack_size of " +
                                std::to_string(options.stack_size) + " bytes; it has to be from " +
                                std::to_string(least) + " KiB to " + std::to_string(most) +
                                " KiB, as RONDO_STACK_KIB");
  return options.stack_size;
}

} // namespace

struct engine::thread_list {
  std::vector<std::thread> of_workers; ///< By their indices; a worker without one is a seat.
};

engine::engine(executor_options options)
    : options_(std::move(options)), cores_(detail::usable_here()), bound_to_(machine_for(options_)),
      stacks_(checked_stack_size(options_), &loop), threads_(std::make_unique<thread_list>()) {}

engine::~engine() = default;

executor& engine::self() { return static_cast<executor&>(*this); }

executor::executor(unsigned workers)
    : executor([workers] {
        executor_options options = default_options();
        if(workers != 0)
          options.workers = workers;
        return options;
      }()) {}

executor::executor(executor_options options) : engine(std::move(options)) {
  detail::tell_stack_overflows();
  // Not kept by the executor before that is whole: the attendant may not outlive what it is told by.
  std::unique_ptr<detail::attendant> with_it;
  if(const auto make = detail::make_attendant.load(std::memory_order_relaxed))
    with_it = make(*this);
  resize(options_.workers);
  detail::directory::here().enlist(*this);
  attendant_ = std::move(with_it);
}

executor::~executor() {
  auto& others = detail::directory::here();
  ends_.store(true, std::memory_order_seq_cst);
  wake_waiters(); // those that wait for values and help here
  others.strike_off(*this);
  if(const auto why_not = wait_until_quiet({}, "the end of an executor "); why_not != nullptr) {
    // Tasks that are left use it.
    std::fprintf(stderr, "%s\nAn executor can't end before its tasks, so the program ends.\n",
      why_not->c_str());
    std::terminate();
  }
  others.watch_no_more(*this);
  attendant_.reset();
  end_threads();
  post_.stop_thread();
  others.bury(*this);
  companion_.reset();
  tell_failure();
}

void engine::end_threads() {
  stop_from_.store(0, std::memory_order_seq_cst);
  notifier_.notify_all();
  for(auto& thread : threads_->of_workers)
    if(thread.joinable())
      thread.join();
}

void engine::tell_failure() noexcept {
  try {
    failure_.rethrow();
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "rondo: a submitted task failed and nobody waited for it: %s\n", e.what());
  }
  catch(...) {
    std::fprintf(stderr, "rondo: a submitted task failed and nobody waited for it\n");
  }
}

engine::companion& engine::get_companion(std::unique_ptr<companion> (*make)()) {
  const std::lock_guard lock(companion_mutex_);
  if(companion_ == nullptr)
    companion_ = make();
  return *companion_;
}

void executor::resize(unsigned workers) {
  if(workers == 0)
    workers = detail::usable_here();
  if(workers > most_workers)
    throw std::invalid_argument("rondo::executor: " + std::to_string(workers) +
                                " workers asked for, the most is " + std::to_string(most_workers));
  if(my_worker() != nullptr)
    throw std::logic_error(
      "rondo::executor::resize() called from one of its own workers; call it from outside");
  const detail::size_lock::change here(size_lock_);
  const unsigned before = active_.load(std::memory_order_relaxed);
  if(workers != before && size_lock_.is_relied_on())
    throw std::logic_error("rondo::executor::resize() called while there is a rondo::flow that was "
                           "made for one worker; resize "
                           "before flows are made, or after they have ended");
  for(unsigned i = before; i < workers; ++i) {
    try {
      start_worker(i);
    }
    catch(const std::system_error& e) {
      retire_workers(before, i);
      throw std::system_error(e.code(),
        "rondo::executor: the system refuses to start the thread of worker " + std::to_string(i));
    }
    catch(...) {
      retire_workers(before, i);
      throw;
    }
  }
  active_.store(workers, std::memory_order_release);
  post_.let_give_way(options_.workers == 1 && shares_cores());
  if(workers < before)
    retire_workers(workers, before);
}

/// Ends the threads of the workers `from .. to - 1`, which are the last ones that have any.
void engine::retire_workers(unsigned from, unsigned to) {
  stop_from_.store(from, std::memory_order_seq_cst);
  notifier_.notify_all();
  for(unsigned i = from; i != to; ++i)
    if(auto& thread = threads_->of_workers[i]; thread.joinable())
      thread.join();
  stop_from_.store(detail::worker_table::most, std::memory_order_seq_cst);
}

const core_info* engine::core_for(unsigned worker) const {
  return bound_to_ != nullptr && worker < bound_to_->cores.size() ? &bound_to_->cores[worker]
                                                                  : nullptr;
}

void engine::start_worker(unsigned index) {
  auto& threads = threads_->of_workers;
  if(index == workers_.size()) {
    threads.resize(index + 1);
    auto made = std::make_unique<worker>(self(), index, depots_);
    if(core_for(index) != nullptr)
      made->near_first_ = near_first(*bound_to_, index);
    made->park(stacks_.take()); // its first stack
    worker& w = *made;
    observers_.admit([&](bool is_observed) {
      w.observed_.store(is_observed, std::memory_order_relaxed);
      workers_.add(std::move(made));
    });
    // In the name of thieves that have not looked yet, or sleep already and could not: a worker that
    // has nothing on show shows its next offer. One worker alone asks for nothing.
    if(index != 0)
      w.ask();
    if(index == 1)
      workers_[0].ask();
  }
  if(index != 0 || options_.background)
    threads[index] = std::thread([this, &w = workers_[index]] { thread_main(w); });
}

void engine::thread_main(worker& w) {
  if(const core_info* const core = core_for(w.index()))
    bind_this_thread(*core);
  const detail::acting_as here(w);
  const auto stopped = [this, index = w.index()](wait_phase) {
    return index >= stop_from_.load(std::memory_order_seq_cst);
  };
  wait_on(w, stopped, wait_kind::announced);
  flush_to_queue(w);
  leave_orphans(w);
  announce_late();
}

/// Hands everything that a worker has in stock to the others.
void engine::flush_to_queue(worker& w) {
  bool any = false;
  while(job* const j = w.tasks().pop().found) {
    queues_[static_cast<unsigned>(priority::normal)].push(j);
    any = true;
  }
  if(any)
    notifier_.notify_one();
}

void detail::stillness::each_thread(engine& ex, function_ref<void(unsigned, pthread_t)> f) {
  const auto lock = ex.size_lock_.keep();
  auto& threads = ex.threads_->of_workers;
  for(unsigned i = 0; i != threads.size(); ++i)
    if(threads[i].joinable())
      f(i, threads[i].native_handle());
}

executor& default_executor() {
  static executor instance;
  return instance;
}

} // namespace rondo
