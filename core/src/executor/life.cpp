// Making, resizing and ending an executor and its threads.

#include <rondo/core/executor.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <rondo/core/machine.hpp>

#include "../environment.hpp"
#include "../fiber/overflow.hpp"
#include "../usable.hpp"

namespace rondo {

namespace {

/// Reads a whole number from the environment; a value that is none is an error that names it.
template<class T>
void from_environment(const char* variable, long least, long most, T& value) {
  const char* const text = std::getenv(variable);
  if(text == nullptr || *text == '\0')
    return;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if(*end != '\0' || number < least || number > most)
    throw std::invalid_argument(std::string(variable) + "=" + text +
                                ": expected a whole number from " + std::to_string(least) + " to " +
                                std::to_string(most));
  value = T(number);
}

/// What is left of this machine if it has only the cores that are asked for.
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

} // namespace

executor_options executor::default_options() {
  detail::warn_of_unknown_variables();
  executor_options options;
  from_environment("RONDO_WORKERS", 1, most_workers, options.workers);
  from_environment("RONDO_BIND", 0, 1, options.bind);
  from_environment("RONDO_SPIN_US", 0, 1'000'000, options.spin);
  std::size_t stack_kib = options.stack_size >> 10U;
  from_environment("RONDO_STACK_KIB", 16, 1L << 20U, stack_kib);
  options.stack_size = stack_kib << 10U;
  if(const char* const who = std::getenv("RONDO_PROGRESS"); who != nullptr && *who != '\0') {
    if(std::string_view(who) != "thread" && std::string_view(who) != "workers")
      throw std::invalid_argument(
        std::string("RONDO_PROGRESS=") + who + ": expected \"workers\" or \"thread\"");
    options.progress_thread = std::string_view(who) == "thread";
  }
  return options;
}

executor::executor(unsigned workers)
    : executor([workers] {
        executor_options options = default_options();
        if(workers != 0)
          options.workers = workers;
        return options;
      }()) {}

executor::executor(executor_options options)
    : options_(std::move(options)), cores_(detail::usable_here()), bound_to_(machine_for(options_)),
      workers_(new std::atomic<worker*>[most_workers]) {
  detail::tell_stack_overflows();
  try {
    resize(options_.workers);
  }
  catch(...) { // there is no destructor for what was never constructed
    delete_fibers();
    delete_workers();
    throw;
  }
  enlist();
}

executor::companion& executor::get_companion(std::unique_ptr<companion> (*make)()) {
  const std::lock_guard lock(stacks_);
  if(companion_ == nullptr)
    companion_ = make();
  return *companion_;
}

executor::~executor() {
  strike_off();
  const auto all_done = [this](wait_phase) { return quiescent(); };
  quiet_waiters_.fetch_add(1, std::memory_order_seq_cst);
  help_until(all_done, when_idle);
  stop_from_.store(0, std::memory_order_seq_cst);
  notifier_.notify_all();
  for(auto& thread : threads_)
    if(thread.joinable())
      thread.join();
  stop_progress_thread();
  bury();
  companion_.reset();
  if(failure_ != nullptr) {
    try {
      std::rethrow_exception(failure_);
    }
    catch(const std::exception& e) {
      std::fprintf(
        stderr, "rondo: a submitted task failed and nobody waited for it: %s\n", e.what());
    }
    catch(...) {
      std::fprintf(stderr, "rondo: a submitted task failed and nobody waited for it\n");
    }
  }
  delete_fibers();
  delete_workers();
}

void executor::delete_workers() {
  for(unsigned i = 0; i != made_.load(std::memory_order_relaxed); ++i)
    delete workers_[i].load(std::memory_order_relaxed);
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
  const std::lock_guard lock(configuration_);
  const unsigned before = active_.load(std::memory_order_relaxed);
  struct resizing {
    std::atomic<bool>& flag;
    explicit resizing(std::atomic<bool>& f) : flag(f) { flag.store(true); }
    ~resizing() { flag.store(false); }
  };
  // seq_cst, as in rely_on_one_worker: one of the two sees the other.
  const resizing here(is_resizing_);
  if(workers != before && rely_on_one_.load(std::memory_order_seq_cst) != 0)
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
  if(workers < before)
    retire_workers(workers, before);
}

bool executor::rely_on_one_worker() {
  if(workers() != 1)
    return false;
  rely_on_one_.fetch_add(1, std::memory_order_seq_cst);
  if(!is_resizing_.load(std::memory_order_seq_cst) && workers() == 1)
    return true;
  stop_relying_on_one_worker();
  return false;
}

/// Ends the threads of the workers `from .. to - 1`, which are the last ones that have any.
void executor::retire_workers(unsigned from, unsigned to) {
  stop_from_.store(from, std::memory_order_seq_cst);
  notifier_.notify_all();
  for(unsigned i = from; i != to; ++i)
    if(threads_[i].joinable())
      threads_[i].join();
  stop_from_.store(most_workers, std::memory_order_seq_cst);
}

const core_info* executor::core_for(unsigned worker) const {
  return bound_to_ != nullptr && worker < bound_to_->cores.size() ? &bound_to_->cores[worker]
                                                                  : nullptr;
}

void executor::start_worker(unsigned index) {
  if(index == made_.load(std::memory_order_relaxed)) {
    threads_.resize(index + 1);
    auto made = std::make_unique<worker>(*this, index, small_depot_, large_depot_);
    if(core_for(index) != nullptr)
      made->near_first_ = near_first(*bound_to_, index);
    made->park(spare_fiber()); // its first stack
    worker& w = *made;
    observers_.admit([&](bool is_observed) {
      w.observed_.store(is_observed, std::memory_order_relaxed);
      workers_[index].store(made.release(), std::memory_order_release);
      made_.store(index + 1, std::memory_order_release);
    });
    // In the name of thieves who have not looked yet, or sleep already and could not: who has
    // nothing on show shows its next offer. One worker alone asks for nothing.
    if(index != 0)
      w.ask();
    if(index == 1)
      workers_[0].load(std::memory_order_relaxed)->ask();
  }
  if(index == 0 && !options_.background)
    return;
  threads_[index] =
    std::thread([this, w = workers_[index].load(std::memory_order_relaxed)] { thread_main(*w); });
}

void executor::thread_main(worker& w) {
  if(const core_info* const core = core_for(w.index()))
    bind_this_thread(*core);
  const detail::acting_as here(w);
  const auto stopped = [this, index = w.index()](wait_phase) {
    return index >= stop_from_.load(std::memory_order_seq_cst);
  };
  wait_on(w, stopped, announced);
  flush_to_queue(w);
  leave_orphans(w);
  announce_late();
}

/// Hands everything that a worker has in stock to the others.
void executor::flush_to_queue(worker& w) {
  bool any = false;
  while(job* const j = w.tasks().pop().found) {
    queues_[static_cast<unsigned>(priority::normal)].push(j);
    any = true;
  }
  if(any)
    notifier_.notify_one();
}

executor& default_executor() {
  static executor instance;
  return instance;
}

} // namespace rondo
