#include <rondo/tracing/region.hpp>

#include <rondo/core/pause.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail {

region_base::region_base(flow& f, const char* name) : home_(f), name_(name) { f.check_caller(); }

region_base::~region_base() {
  if(entered_ != 0)
    home_.let_go(*this, last_launch_, last_where_);
}

void region_base::lock() {
  for(unsigned round = 0; locked_.exchange(true, std::memory_order_acquire); ++round)
    if(round < 100)
      pause();
    else
      std::this_thread::yield();
}

bool region_base::park(turn_wait& w, std::uint64_t turn) {
  lock();
  // Either this sees the end that we wait for, or that one sees the bit and comes to `wake`.
  const std::uint64_t seen = progress_.fetch_or(somebody_waits, std::memory_order_acq_rel);
  if(seen / one >= turn) {
    if(first_ == nullptr)
      progress_.fetch_and(~somebody_waits, std::memory_order_relaxed);
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

void region_base::wake(crew* here) {
  lock();
  const std::uint64_t now = progress_.load(std::memory_order_acquire) / one;
  turn_wait* const woken = first_;
  turn_wait* last = nullptr;
  while(first_ != nullptr && first_->turn <= now) {
    last = first_;
    first_ = first_->next;
  }
  if(first_ == nullptr)
    progress_.fetch_and(~somebody_waits, std::memory_order_relaxed);
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

bool region_base::acquire(turn_wait& w) {
  lock();
  const bool free = !taken_;
  taken_ = true;
  if(!free) {
    w.next = nullptr;
    if(first_for_it_ == nullptr)
      first_for_it_ = &w;
    else
      last_for_it_->next = &w;
    last_for_it_ = &w;
  }
  unlock();
  return free;
}

void region_base::release(crew* here) {
  lock();
  turn_wait* const heir = first_for_it_;
  if(heir != nullptr)
    first_for_it_ = heir->next;
  else
    taken_ = false;
  unlock();
  if(heir != nullptr)
    heir->go_on(*heir, here);
}

} // namespace rondo::detail
