// What workers do: find work, look for it, sleep; and noticing that there is none left.

#include <rondo/core/executor.hpp>

#include <rondo/core/pause.hpp>

namespace rondo {

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

} // namespace rondo
