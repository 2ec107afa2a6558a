#include <rondo/tracing/progress.hpp>

#include <thread>

#include <rondo/core/pause.hpp>

namespace rondo::detail {

void progress::lock() {
  for(unsigned round = 0; locked_.exchange(true, std::memory_order_acquire); ++round)
    if(round < 100)
      pause();
    else
      std::this_thread::yield();
}

bool progress::park(turn_wait& w, std::uint64_t turn) {
  lock();
  // Either this sees the end that we wait for, or that one sees the bit and comes to `wake`.
  const std::uint64_t seen = word_.fetch_or(somebody_waits, std::memory_order_acq_rel);
  if(seen / one >= turn) {
    if(first_ == nullptr)
      word_.fetch_and(~somebody_waits, std::memory_order_relaxed);
    unlock();
    return false;
  }
  w.turn = turn;
  w.next = nullptr;
  if(first_ == nullptr)
    first_ = last_ = &w;
  else if(turn >= last_->turn) {
    last_->next = &w;
    last_ = &w;
  }
  else {
    // It has waited for something else before, so it is one of the oldest.
    turn_wait** place = &first_;
    while((*place)->turn <= turn)
      place = &(*place)->next;
    w.next = *place;
    *place = &w;
  }
  unlock();
  return true;
}

void progress::wake(crew* here) {
  lock();
  const std::uint64_t now = word_.load(std::memory_order_acquire) / one;
  turn_wait* const woken = first_;
  turn_wait* last = nullptr;
  while(first_ != nullptr && first_->turn <= now) {
    last = first_;
    first_ = first_->next;
  }
  if(first_ == nullptr)
    word_.fetch_and(~somebody_waits, std::memory_order_relaxed);
  unlock();
  if(last == nullptr)
    return;
  last->next = nullptr;
  for(turn_wait* i = woken; i != nullptr;) {
    turn_wait* const next = i->next;
    i->go_on(*i, here);
    i = next;
  }
}

} // namespace rondo::detail
