#include "directory.hpp"

#include <algorithm>

#include <rondo/core/executor.hpp>

namespace rondo::detail::inline core {

directory& directory::here() {
  static auto* const made = new directory;
  return *made;
}

void directory::enlist(engine& ex) {
  const std::lock_guard lock(mutex_);
  made_.fetch_add(1, std::memory_order_relaxed);
  all_.push_back(&ex);
  alive_.push_back(&ex);
  watched_.push_back(&ex);
  // seq_cst: a thread that was about to sleep since there was one executor sees that there is another one, or
  // is woken.
  count_.store(all_.size(), std::memory_order_seq_cst);
  if(all_.size() == 2)
    all_.front()->wake_waiters();
}

void directory::strike_off(engine& ex) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(all_, &ex);
    count_.store(all_.size(), std::memory_order_relaxed);
  }
  ex.visits().await_end(); // they leave when they find nothing to do
}

void directory::watch_no_more(engine& ex) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(watched_, &ex);
  }
  ex.visits().await_end();
}

void directory::bury(engine& ex) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(alive_, &ex);
  }
  ex.visits().await_end();
}

void directory::if_alive(executor* ex, function_ref<void(executor&)> f) {
  engine* found = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto is_it = [ex](engine* alive) { return &alive->self() == ex; };
    const auto at = std::ranges::find_if(alive_, is_it);
    if(at == alive_.end())
      return;
    found = *at;
    found->visits().begin();
  }
  f(*ex);
  found->visits().end();
}

engine* directory::find_needy(const engine* but_not) {
  if(count() <= (but_not != nullptr ? 1 : 0))
    return nullptr;
  const std::lock_guard lock(mutex_);
  for(engine* const ex : all_)
    if(ex != but_not && ex->needs_hand()) {
      ex->visits().begin();
      return ex;
    }
  return nullptr;
}

std::vector<engine*> directory::visit_all() {
  const std::lock_guard lock(mutex_);
  std::vector<engine*> all = watched_; // comes first, since it may throw
  for(engine* const ex : all)
    ex->visits().begin();
  return all;
}

} // namespace rondo::detail::inline core
