#include "directory.hpp"

#include <algorithm>

namespace rondo::detail::inline core {

directory& directory::here() {
  static auto* const made = new directory;
  return *made;
}

void directory::enlist(executor& ex) {
  const std::lock_guard lock(mutex_);
  made_.fetch_add(1, std::memory_order_relaxed);
  all_.push_back(&ex);
  alive_.push_back(&ex);
  // seq_cst: a thread that was about to sleep since there was one executor sees that there is another one, or
  // is woken.
  count_.store(all_.size(), std::memory_order_seq_cst);
  if(all_.size() == 2)
    all_.front()->wake_waiters();
}

void directory::strike_off(executor& ex) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(all_, &ex);
    count_.store(all_.size(), std::memory_order_relaxed);
  }
  ex.await_end_of_visits(); // they leave when they find nothing to do
}

void directory::bury(executor& ex) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(alive_, &ex);
  }
  ex.await_end_of_visits();
}

void directory::if_alive(executor* ex, function_ref<void(executor&)> f) {
  {
    const std::lock_guard lock(mutex_);
    if(std::find(alive_.begin(), alive_.end(), ex) == alive_.end())
      return;
    ex->begin_visit();
  }
  f(*ex);
  ex->end_visit();
}

executor* directory::find_needy(const executor* but_not) {
  if(count() <= (but_not != nullptr ? 1 : 0))
    return nullptr;
  const std::lock_guard lock(mutex_);
  for(executor* const ex : all_)
    if(ex != but_not && ex->needs_hand()) {
      ex->begin_visit();
      return ex;
    }
  return nullptr;
}

std::vector<executor*> directory::visit_all() {
  const std::lock_guard lock(mutex_);
  std::vector<executor*> all = all_; // comes first, since it may throw
  for(executor* const ex : all)
    ex->begin_visit();
  return all;
}

} // namespace rondo::detail::inline core
