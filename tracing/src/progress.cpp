#include <rondo/tracing/progress.hpp>

#include <thread>

#include <rondo/core/pause.hpp>

namespace rondo::detail::inline tracing {

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
  std::uint64_t seen = word_.fetch_or(somebody_waits, std::memory_order_acq_rel);
  if(asks_ && seen / one < turn) {
    // It may write over the bit, and not see it: but then it looks again, and waits for the lock.
    static_cast<launch_event*>(this)->asked_->exchange(true, std::memory_order_acq_rel);
    seen = word_.load(std::memory_order_acquire);
  }
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

/// Under the lock: those whose turn has come, linked.
turn_wait* progress::take_due() {
  const std::uint64_t now = word_.load(std::memory_order_acquire) / one;
  turn_wait* const due = first_;
  turn_wait* last = nullptr;
  while(first_ != nullptr && first_->turn <= now) {
    last = first_;
    first_ = first_->next;
  }
  if(last == nullptr)
    return nullptr;
  last->next = nullptr;
  return due;
}

void progress::tell(turn_wait* first, crew* here) {
  while(first != nullptr) {
    turn_wait* const next = first->next;
    first->go_on(*first, here);
    first = next;
  }
}

void progress::wake(crew* here) {
  lock();
  turn_wait* const due = take_due();
  if(first_ == nullptr)
    word_.fetch_and(~somebody_waits, std::memory_order_relaxed);
  unlock();
  tell(due, here);
}

bool progress::look_again(crew* here) {
  lock();
  turn_wait* const due = take_due();
  const bool others_wait = first_ != nullptr;
  if(others_wait)
    word_.fetch_or(somebody_waits, std::memory_order_relaxed); // it may have been written over
  unlock();
  tell(due, here);
  return others_wait;
}

} // namespace rondo::detail::inline tracing
