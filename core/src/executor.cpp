#include <rondo/core/executor.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <rondo/core/machine.hpp>
#include <rondo/core/pause.hpp>

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

} // namespace

/// Makes the calling thread worker 0, and gives the seat back.
class executor::seat_guard {
public:
  explicit seat_guard(executor& ex)
      : ex_(ex), mine_(*ex.workers_[0].load(std::memory_order_relaxed)),
        before_(detail::current_worker) {
    mine_.adopt_stack();
    detail::current_worker = &mine_;
  }
  ~seat_guard() {
    // Nobody answers hunger for an empty seat, so nothing may stay on it.
    ex_.flush_to_queue(mine_);
    detail::current_worker = before_;
    ex_.seat_.unlock();
    // Whoever found the seat taken and now sleeps may have it.
    ex_.idle_epoch_.fetch_add(1, std::memory_order_seq_cst);
    ex_.idle_epoch_.notify_all();
  }
  seat_guard(const seat_guard&) = delete;
  seat_guard& operator=(const seat_guard&) = delete;

  worker& mine() { return mine_; }

private:
  executor& ex_;
  worker& mine_;
  worker* const before_;
};

// ---- life ------------------------------------------------------------------------------------

executor_options executor::default_options() {
  executor_options options;
  from_environment("RONDO_WORKERS", 1, most_workers, options.workers);
  from_environment("RONDO_BIND", 0, 1, options.bind);
  from_environment("RONDO_SPIN_US", 0, 1'000'000, options.spin);
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
    : options_(options), workers_(new std::atomic<worker*>[most_workers]) {
  resize(options.workers);
}

executor::~executor() {
  const auto all_done = [this](wait_phase) { return quiescent(); };
  quiet_waiters_.fetch_add(1, std::memory_order_seq_cst);
  help_until(all_done, when_idle);
  stop_from_.store(0, std::memory_order_seq_cst);
  notifier_.notify_all();
  for(auto& thread : threads_)
    if(thread.joinable())
      thread.join();
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
  for(unsigned i = 0; i != made_.load(std::memory_order_relaxed); ++i)
    delete workers_[i].load(std::memory_order_relaxed);
}

void executor::resize(unsigned workers) {
  if(workers == 0)
    workers = this_machine().usable;
  if(workers > most_workers)
    throw std::invalid_argument("rondo::executor: " + std::to_string(workers) +
                                " workers asked for, the most is " + std::to_string(most_workers));
  if(my_worker() != nullptr)
    throw std::logic_error(
      "rondo::executor::resize() called from one of its own workers; call it from outside");
  const std::lock_guard lock(configuration_);
  const unsigned before = active_.load(std::memory_order_relaxed);
  for(unsigned i = before; i < workers; ++i)
    start_worker(i);
  active_.store(workers, std::memory_order_release);
  if(workers < before) {
    stop_from_.store(workers, std::memory_order_seq_cst);
    notifier_.notify_all();
    for(unsigned i = workers; i != before; ++i)
      if(threads_[i].joinable())
        threads_[i].join();
    stop_from_.store(most_workers, std::memory_order_seq_cst);
  }
}

void executor::start_worker(unsigned index) {
  if(index == made_.load(std::memory_order_relaxed)) {
    auto* const made = new worker(*this, index, small_depot_, large_depot_);
    if(options_.bind && index < this_machine().cores.size())
      made->near_first_ = near_first(this_machine(), index);
    for(const auto& place : observers_)
      if(place.load(std::memory_order_relaxed) != nullptr)
        made->observed_.store(true, std::memory_order_relaxed);
    workers_[index].store(made, std::memory_order_release);
    made_.store(index + 1, std::memory_order_release);
    threads_.emplace_back();
  }
  if(index == 0 && !options_.background)
    return;
  threads_[index] =
    std::thread([this, w = workers_[index].load(std::memory_order_relaxed)] { thread_main(*w); });
}

void executor::thread_main(worker& w) {
  if(options_.bind && w.index() < this_machine().cores.size())
    bind_this_thread(this_machine().cores[w.index()]);
  w.adopt_stack();
  detail::current_worker = &w;
  const auto stopped = [this, index = w.index()](wait_phase) {
    return index >= stop_from_.load(std::memory_order_seq_cst);
  };
  work_until(w, stopped, announced);
  flush_to_queue(w);
  detail::current_worker = nullptr;
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

// ---- working ---------------------------------------------------------------------------------

void executor::work_until(worker& w, condition done, wait_kind kind) {
  const auto look = [&w] { return w.find_job(); };
  while(kind == when_idle || !done(wait_phase::looking)) {
    job* j = w.find_job();
    if(j == nullptr)
      j = idle(w, done, look, kind);
    if(j == nullptr)
      return;
    j->run(j, w);
  }
}

void executor::wait_on(worker& w, condition done, help how) {
  const auto look = [&w, how]() -> job* {
    if(how == help::if_room && !w.has_stack_room())
      return nullptr;
    job* const fork = w.find_fork(); // somebody waits for it, perhaps we ourselves
    return fork != nullptr ? fork : w.find_job();
  };
  while(!done(wait_phase::looking)) {
    job* j = look();
    if(j == nullptr)
      j = idle(w, done, look, announced);
    if(j != nullptr)
      j->run(j, w);
  }
}

/// Looks for a job until it finds one, or until `done`: then it returns null.
job* executor::idle(worker& w, condition done, function_ref<job*()> look, wait_kind kind) {
  using clock = std::chrono::steady_clock;
  constexpr auto tight = std::chrono::microseconds(50);
  constexpr auto nap = std::chrono::microseconds(500);
  notifier_.begin_search();
  announce_idle();
  auto since = clock::now();
  auto now = since;
  for(unsigned round = 1;; ++round) {
    if(done(wait_phase::looking))
      return found(nullptr);
    if(job* const j = look())
      return found(j);
    if(round % 16 == 0)
      now = clock::now();
    if(now - since < tight) {
      pause();
      continue;
    }
    if(now - since < options_.spin) {
      std::this_thread::yield(); // more threads than cores: let the others work
      continue;
    }
    const notifier::ticket ticket = notifier_.prepare_sleep();
    ask_everybody(w);
    const bool over = done(wait_phase::about_to_sleep);
    job* const j = over ? nullptr : look();
    if(over || j != nullptr) {
      notifier_.cancel_sleep();
      return found(j);
    }
    if(w.observed()) [[unlikely]]
      tell_observers([&](observer& o) { o.park(w.index()); }, w);
    notifier_.sleep(ticket, kind == polling ? nap : std::chrono::nanoseconds::max());
    if(w.observed()) [[unlikely]]
      tell_observers([&](observer& o) { o.wake(w.index()); }, w);
    since = now = clock::now();
    if(kind == polling)
      since -= options_.spin; // this was no wake-up for work: do not spin again
  }
}

/// Ends a search. Producers rely on searchers to find what they make, so the last one that
/// leaves sends another one if there is more to find.
job* executor::found(job* j) {
  if(notifier_.end_search() && work_visible())
    notifier_.notify_one();
  return j;
}

bool executor::work_visible() const {
  for(const auto& queue : queues_)
    if(!queue.empty())
      return true;
  for(unsigned i = 0; i != made_.load(std::memory_order_acquire); ++i) {
    worker& w = *workers_[i].load(std::memory_order_acquire);
    if(w.tasks().published_size() != 0 || w.forks().published_size() != 0 || !w.inbox().empty())
      return true;
  }
  return false;
}

void executor::ask_everybody(const worker& but_not) {
  for(unsigned i = 0; i != made_.load(std::memory_order_acquire); ++i) {
    worker& other = *workers_[i].load(std::memory_order_acquire);
    if(&other != &but_not) {
      other.forks().ask();
      other.tasks().ask();
    }
  }
}

/// Called by a worker that ran out of work: perhaps that was all there is.
void executor::announce_idle() {
  if(quiet_waiters_.load(std::memory_order_seq_cst) != 0 && quiescent())
    wake_waiters();
}

bool executor::quiescent() const {
  // Finished first, submitted after: a task that submits another one is unfinished meanwhile, so
  // equal sums mean that at the time of the second reading nothing was under way.
  std::uint64_t finished = outside_finished_.load(std::memory_order_seq_cst);
  const unsigned made = made_.load(std::memory_order_acquire);
  for(unsigned i = 0; i != made; ++i)
    finished += workers_[i].load(std::memory_order_acquire)->finished.get();
  std::uint64_t submitted = outside_submitted_.load(std::memory_order_seq_cst);
  for(unsigned i = 0; i != made; ++i)
    submitted += workers_[i].load(std::memory_order_acquire)->submitted.get();
  return finished == submitted;
}

// ---- submitting ------------------------------------------------------------------------------

void executor::put(worker* mine, job* t, const task_options& options) {
  begin_activity();
  if(options.worker >= 0 && static_cast<unsigned>(options.worker) < workers()) {
    if(mine == nullptr || static_cast<unsigned>(options.worker) != mine->index()) {
      workers_[options.worker].load(std::memory_order_acquire)->inbox().push(t);
      // The one it is meant for may be asleep, and wake-ups have no address.
      notifier_.notify_all();
      return;
    }
  }
  if(mine != nullptr && options.priority == priority::normal)
    mine->push_task(t);
  else
    inject(t, options.priority);
}

void executor::inject(job* j, priority p) {
  queues_[static_cast<unsigned>(p)].push(j);
  notifier_.notify_one();
}

void executor::begin_activity() {
  if(worker* const mine = my_worker())
    mine->submitted.add_one();
  else
    outside_submitted_.fetch_add(1, std::memory_order_seq_cst);
}

void executor::end_activity() {
  if(worker* const mine = my_worker())
    mine->finished.add_one();
  else
    outside_finished_.fetch_add(1, std::memory_order_seq_cst);
  // An outside thread does not go idle, so it looks for itself.
  if(my_worker() == nullptr)
    announce_idle();
}

void executor::task_failed(worker&) noexcept {
  const std::lock_guard lock(failure_mutex_);
  if(failure_ == nullptr)
    failure_ = std::current_exception();
}

void executor::task_ended(worker& w) noexcept { w.finished.add_one(); }

// ---- waiting ---------------------------------------------------------------------------------

void executor::wait() {
  if(const worker* const mine = my_worker(); mine != nullptr && mine->open_tasks != 0)
    throw std::logic_error("rondo::executor::wait() called inside a submitted task, which would "
                           "wait for itself; use a rondo::scope to wait for tasks in a task");
  const auto all_done = [this](wait_phase) { return quiescent(); };
  quiet_waiters_.fetch_add(1, std::memory_order_seq_cst);
  help_until(all_done, when_idle);
  quiet_waiters_.fetch_sub(1, std::memory_order_seq_cst);
  rethrow_failure();
}

void executor::rethrow_failure() {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(failure_mutex_);
    std::swap(failure, failure_);
  }
  if(failure != nullptr)
    std::rethrow_exception(failure);
}

void executor::wake_waiters() {
  // A full barrier between the condition and the look at the sleepers.
  idle_epoch_.fetch_add(1, std::memory_order_seq_cst);
  idle_epoch_.notify_all();
  notifier_.notify_all();
}

void executor::help_until(condition done, wait_kind kind) {
  if(worker* const mine = my_worker()) {
    work_until(*mine, done, kind);
    return;
  }
  for(;;) {
    const auto epoch = idle_epoch_.load(std::memory_order_seq_cst);
    if(done(wait_phase::about_to_sleep))
      return;
    if(!options_.background && seat_.try_lock()) {
      seat_guard seat(*this);
      work_until(seat.mine(), done, kind);
      return;
    }
    if(kind == polling)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    else
      idle_epoch_.wait(epoch);
  }
}

namespace {

/// A body that another thread waits for. `released` is set last: until then the waiter keeps
/// this object, and its own executor, alive.
struct root_job : job {
  enum : std::uint32_t { waiting, finished, released };

  root_job(function_ref<void()> b, executor* waiter)
      : job{&run_root}, body(b), waiter_home(waiter) {}

  static void run_root(job* j, worker&) {
    auto* const self = static_cast<root_job*>(j);
    try {
      self->body();
    }
    catch(...) {
      self->failure = std::current_exception();
    }
    self->state.store(finished, std::memory_order_seq_cst);
    if(self->waiter_home != nullptr)
      self->waiter_home->wake_waiters();
    self->state.notify_all();
    self->state.store(released, std::memory_order_release);
  }

  function_ref<void()> body;
  executor* waiter_home; ///< Of which the waiting thread is a worker, if any.
  std::exception_ptr failure = nullptr;
  std::atomic<std::uint32_t> state{waiting};
};

} // namespace

void executor::run_root(function_ref<void()> body) {
  if(!options_.background && seat_.try_lock()) {
    const seat_guard seat(*this);
    body();
    return;
  }
  worker* const elsewhere = this_worker();
  root_job root(body, elsewhere != nullptr ? &elsewhere->home() : nullptr);
  inject(&root);
  if(elsewhere != nullptr) {
    const auto finished = [&root](wait_phase) {
      return root.state.load(std::memory_order_seq_cst) != root_job::waiting;
    };
    elsewhere->home().wait_on(*elsewhere, finished, help::always);
  }
  else if(workers() == 1 && !options_.background) {
    // The only worker's seat is taken just now: wait for it, then help.
    const auto finished = [&root](wait_phase) {
      return root.state.load(std::memory_order_seq_cst) != root_job::waiting;
    };
    help_until(finished, polling);
  }
  else {
    root.state.wait(root_job::waiting, std::memory_order_acquire);
  }
  while(root.state.load(std::memory_order_acquire) != root_job::released)
    pause();
  if(root.failure != nullptr)
    std::rethrow_exception(root.failure);
}

// ---- observers -------------------------------------------------------------------------------

void executor::attach(observer& o) {
  const std::lock_guard lock(configuration_);
  for(auto& place : observers_) {
    if(place.load(std::memory_order_relaxed) == nullptr) {
      place.store(&o, std::memory_order_seq_cst);
      for(unsigned i = 0; i != made_.load(std::memory_order_relaxed); ++i)
        workers_[i]
          .load(std::memory_order_relaxed)
          ->observed_.store(true, std::memory_order_relaxed);
      return;
    }
  }
  throw std::length_error("rondo::executor::attach(): at most " + std::to_string(most_observers) +
                          " observers at a time");
}

void executor::detach(observer& o) {
  const std::lock_guard lock(configuration_);
  bool any_left = false;
  for(auto& place : observers_) {
    if(place.load(std::memory_order_relaxed) == &o)
      place.store(nullptr, std::memory_order_seq_cst);
    any_left = any_left || place.load(std::memory_order_relaxed) != nullptr;
  }
  for(unsigned i = 0; i != made_.load(std::memory_order_relaxed); ++i) {
    worker& w = *workers_[i].load(std::memory_order_relaxed);
    if(!any_left)
      w.observed_.store(false, std::memory_order_relaxed);
    while(w.in_observer_.load(std::memory_order_seq_cst)) // it may be inside a call to `o`
      std::this_thread::yield();
  }
}

executor& default_executor() {
  static executor instance;
  return instance;
}

} // namespace rondo
