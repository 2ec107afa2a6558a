// All executors there are: for threads that wait for one and may be needed by another.

#include <rondo/core/executor.hpp>

#include <algorithm>
#include <utility>

namespace rondo {

namespace {

struct directory {
  std::mutex mutex;
  std::vector<executor*> all;   ///< Who may be helped.
  std::vector<executor*> alive; ///< Those, and those that are about to end.
  std::atomic<std::size_t> count{0};
};

directory& executors() {
  static auto* const made = new directory; // some executors are static
  return *made;
}

} // namespace

void executor::enlist() {
  auto& there_are = executors();
  const std::lock_guard lock(there_are.mutex);
  there_are.all.push_back(this);
  there_are.alive.push_back(this);
  // seq_cst: a thread that was about to sleep since there was one executor sees that there is another one, or
  // is woken.
  there_are.count.store(there_are.all.size(), std::memory_order_seq_cst);
  if(there_are.all.size() == 2)
    there_are.all.front()->wake_waiters();
}

void executor::strike_off() {
  auto& there_are = executors();
  {
    const std::lock_guard lock(there_are.mutex);
    std::erase(there_are.all, this);
    there_are.count.store(there_are.all.size(), std::memory_order_relaxed);
  }
  while(guests_.load(std::memory_order_acquire) != 0) // they leave when they find nothing to do
    std::this_thread::yield();
}

/// The last thing before the end.
void executor::bury() {
  auto& there_are = executors();
  {
    const std::lock_guard lock(there_are.mutex);
    std::erase(there_are.alive, this);
  }
  while(guests_.load(std::memory_order_acquire) != 0)
    std::this_thread::yield();
}

void executor::if_alive(executor* ex, function_ref<void(executor&)> f) {
  auto& there_are = executors();
  {
    const std::lock_guard lock(there_are.mutex);
    if(std::find(there_are.alive.begin(), there_are.alive.end(), ex) == there_are.alive.end())
      return;
    ex->guests_.fetch_add(1, std::memory_order_relaxed); // the end waits for us
  }
  f(*ex);
  ex->guests_.fetch_sub(1, std::memory_order_release);
}

/// Finds another executor that has jobs on show and an empty seat, and books a visit there.
executor* executor::find_needy(const executor* but_not) {
  auto& there_are = executors();
  if(there_are.count.load(std::memory_order_relaxed) <= (but_not != nullptr ? 1 : 0))
    return nullptr;
  const std::lock_guard lock(there_are.mutex);
  for(executor* const ex : there_are.all)
    if(ex != but_not && !ex->options_.background && !ex->seated_.load(std::memory_order_relaxed) &&
       (ex->work_visible() || ex->has_orphans_.load(std::memory_order_relaxed))) {
      ex->guests_.fetch_add(1, std::memory_order_relaxed);
      return ex;
    }
  return nullptr;
}

bool executor::others_unfinished() const {
  auto& there_are = executors();
  const std::lock_guard lock(there_are.mutex);
  return std::any_of(there_are.all.begin(), there_are.all.end(), [this](const executor* ex) {
    return ex != this && (ex->roots_.load(std::memory_order_relaxed) != 0 || !ex->quiescent());
  });
}

/// Works for an executor that `find_needy` has found until it has nothing to do, or for a while.
void executor::visit(executor& ex, condition done, detail::lending& turns) {
  const auto left_at = detail::lending::clock::now();
  ex.lend_to_seat(done, left_at + turns.left());
  ex.guests_.fetch_sub(1, std::memory_order_release);
  turns.came_home(left_at, detail::lending::clock::now());
}

void executor::help_for_value(condition done) {
  executor* needy = nullptr;
  bool alone = false;
  detail::lending turns;
  const auto done_or_needed = [&](wait_phase phase) {
    if(done(phase))
      return true;
    if(alone) // then it is not looked now and then; see enlist
      return executors().count.load(std::memory_order_seq_cst) != 1;
    if(phase == wait_phase::about_to_sleep)
      turns.has_looked_at_all();
    if(needy == nullptr &&
       turns.may_go(detail::lending::clock::now(), [this] { return work_visible(); }))
      needy = find_needy(this);
    return needy != nullptr;
  };
  for(;;) {
    alone = executors().count.load(std::memory_order_relaxed) == 1;
    help_until(done_or_needed, alone ? announced : polling);
    if(needy != nullptr)
      visit(*std::exchange(needy, nullptr), done, turns);
    else if(done(wait_phase::looking))
      return;
  }
}

void executor::help_anybody(condition done) {
  while(!done(wait_phase::looking)) {
    detail::lending turn; // there is nothing to do at home
    if(executor* const needy = find_needy(nullptr))
      visit(*needy, done, turn);
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

} // namespace rondo
