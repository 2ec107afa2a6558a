#include <rondo/core/executor.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

#include <rondo/core/machine.hpp>
#include <rondo/core/pause.hpp>

namespace rondo {

namespace {} // namespace

worker* detail::acting_as::of(const executor& home) {
  for(const acting_as* a = top_; a != nullptr; a = a->below_)
    if(&a->who_.home() == &home)
      return &a->who_;
  return nullptr;
}

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
      : ex_(ex), mine_(*ex.workers_[0].load(std::memory_order_relaxed)), here_(mine_) {
    ex_.seated_.store(true, std::memory_order_relaxed);
    mine_.adopt_stack();
  }
  ~seat_guard() {
    // Nobody answers hunger for an empty seat, so nothing may stay on it.
    ex_.flush_to_queue(mine_);
    ex_.announce_late();
    ex_.seated_.store(false, std::memory_order_relaxed);
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
  const detail::acting_as here_;
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
  try {
    resize(options.workers);
  }
  catch(...) { // there is no destructor for what was never constructed
    delete_workers();
    throw;
  }
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
  delete_workers();
}

void executor::delete_workers() {
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

/// Ends the threads of the workers `from .. to - 1`, which are the last ones that have any.
void executor::retire_workers(unsigned from, unsigned to) {
  stop_from_.store(from, std::memory_order_seq_cst);
  notifier_.notify_all();
  for(unsigned i = from; i != to; ++i)
    if(threads_[i].joinable())
      threads_[i].join();
  stop_from_.store(most_workers, std::memory_order_seq_cst);
}

void executor::start_worker(unsigned index) {
  if(index == made_.load(std::memory_order_relaxed)) {
    threads_.resize(index + 1);
    auto made = std::make_unique<worker>(*this, index, small_depot_, large_depot_);
    if(options_.bind && index < this_machine().cores.size())
      made->near_first_ = near_first(this_machine(), index);
    for(const auto& place : observers_)
      if(place.load(std::memory_order_relaxed) != nullptr)
        made->observed_.store(true, std::memory_order_relaxed);
    worker& w = *made;
    workers_[index].store(made.release(), std::memory_order_release);
    made_.store(index + 1, std::memory_order_release);
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
  if(options_.bind && w.index() < this_machine().cores.size())
    bind_this_thread(this_machine().cores[w.index()]);
  w.adopt_stack();
  const detail::acting_as here(w);
  const auto stopped = [this, index = w.index()](wait_phase) {
    return index >= stop_from_.load(std::memory_order_seq_cst);
  };
  work_until(w, stopped, announced);
  flush_to_queue(w);
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
  if(how == help::if_room && !w.has_stack_room())
    wait_without_help(w, done);
  else
    wait_on(w, done, how, announced);
}

void executor::wait_on(worker& w, condition done, help, wait_kind kind) {
  const auto look = [&w]() -> job* {
    job* const fork = w.find_fork(); // somebody waits for it, perhaps we ourselves
    return fork != nullptr ? fork : w.find_job();
  };
  bool helped = false;
  while(!done(wait_phase::looking)) {
    job* j = look();
    if(j == nullptr)
      j = idle(w, done, look, kind);
    if(j != nullptr) {
      j->run(j, w);
      helped = true;
    }
  }
  if(helped)
    announce_late();
}

/// For a wait on top of too full a stack. Searchers and sleepers are counted on to run what they
/// find, so this one is neither; but what it has in stock must not be out of reach.
void executor::wait_without_help(worker& w, condition done) {
  for(unsigned round = 0; !done(wait_phase::looking); ++round) {
    if(w.show_stock())
      notifier_.notify_one();
    if(round < 1000)
      pause();
    else if(round < 2000)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
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
    if(&other != &but_not)
      other.ask();
  }
}

/// Called by a worker that ran out of work: perhaps that was all there is.
void executor::announce_idle() {
  if(quiet_waiters_.load(std::memory_order_seq_cst) != 0 && quiescent())
    wake_waiters();
}

/// As above, for one that has finished tasks and goes on without going idle.
void executor::announce_late() {
  notifier_.meet();
  announce_idle();
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
  announce_late();
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
    const detail::acting_as here(*mine);
    work_until(*mine, done, kind);
    return;
  }
  if(kind == when_idle)
    notifier_.meet(); // either a worker that finishes sees that we wait, or we see it finished
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
  enum : std::uint32_t { waiting, watched, finished, released };

  root_job(function_ref<void()> b, executor* waiter)
      : job{&run_root}, body(b), waiter_home(waiter) {}

  static void run_root(job* j, worker& w) {
    auto* const self = static_cast<root_job*>(j);
    self->begun.store(true, std::memory_order_relaxed);
    try {
      self->body();
    }
    catch(...) {
      self->failure = std::current_exception();
    }
    if(self->state.exchange(finished, std::memory_order_seq_cst) == watched) {
      w.home().wake_waiters();
      if(self->waiter_home != nullptr)
        self->waiter_home->wake_waiters();
    }
    self->state.store(released, std::memory_order_release);
  }

  bool ended(executor::wait_phase phase) {
    std::uint32_t seen = state.load(std::memory_order_acquire);
    if(phase == executor::wait_phase::about_to_sleep && seen == waiting)
      state.compare_exchange_strong(seen, watched, std::memory_order_seq_cst);
    return seen >= finished;
  }

  function_ref<void()> body;
  executor* waiter_home; ///< Of which the waiting thread is a worker, if any.
  std::exception_ptr failure = nullptr;
  std::atomic<bool> begun{false};
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
  const auto ended = [&root](wait_phase phase) { return root.ended(phase); };
  inject(&root);
  if(elsewhere == nullptr)
    help_until(ended, announced);
  else
    while(!root.ended(wait_phase::looking)) {
      // Helps at home meanwhile. But when the seat here becomes free, there may be nobody else to
      // run the body.
      const auto ended_or_stuck = [&](wait_phase phase) {
        return root.ended(phase) ||
               (!options_.background && !root.begun.load(std::memory_order_relaxed) &&
                 !seated_.load(std::memory_order_relaxed));
      };
      elsewhere->home().wait_on(*elsewhere, ended_or_stuck, help::always, polling);
      if(!root.ended(wait_phase::looking) && !options_.background && seat_.try_lock()) {
        seat_guard seat(*this);
        work_until(seat.mine(), ended, announced);
      }
    }
  while(root.state.load(std::memory_order_acquire) != root_job::released)
    std::this_thread::yield(); // a few instructions away, if the other thread is not interrupted
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
