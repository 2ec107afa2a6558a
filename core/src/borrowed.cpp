// Variables of functions that have returned: rondo/core/borrowed.hpp.
#ifdef RONDO_CHECKS

#include <rondo/core/borrowed.hpp>

#include <algorithm>
#include <map>
#include <mutex>

#include <pthread.h>

#include <rondo/core/fiber.hpp>
#include <rondo/core/this_thread.hpp>

namespace rondo::detail::inline core {

/// Launches with variables of one stack.
struct borrowed_stack {
  borrowed_variables* first = nullptr;
  std::uintptr_t lowest = ~std::uintptr_t{0}; ///< Of all, or less.

  void add(borrowed_variables& b) {
    b.next_ = first;
    b.before_ = nullptr;
    if(first != nullptr)
      first->before_ = &b;
    first = &b;
    b.of_ = this;
    lowest = std::min(lowest, b.lowest_);
  }
  void remove(borrowed_variables& b) {
    (b.before_ != nullptr ? b.before_->next_ : first) = b.next_;
    if(b.next_ != nullptr)
      b.next_->before_ = b.before_;
    b.of_ = nullptr;
  }
  /// The code is there now.
  void end_below(std::uintptr_t here) {
    if(lowest >= here)
      return;
    lowest = ~std::uintptr_t{0};
    for(borrowed_variables *b = first, *next = nullptr; b != nullptr; b = next) {
      next = b->next_;
      if(b->lowest_ < here) {
        b->have_ended_.store(true, std::memory_order_relaxed);
        remove(*b);
      }
      else
        lowest = std::min(lowest, b->lowest_);
    }
  }
};

namespace {

struct addresses {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  [[nodiscard]] bool contain(std::uintptr_t p) const { return begin <= p && p < end; }
};

addresses of_thread() {
  pthread_attr_t a;
  if(pthread_getattr_np(pthread_self(), &a) != 0)
    return {};
  void* lowest = nullptr;
  std::size_t size = 0;
  addresses found;
  if(pthread_attr_getstack(&a, &lowest, &size) == 0) {
    found.begin = reinterpret_cast<std::uintptr_t>(lowest);
    found.end = found.begin + size;
  }
  pthread_attr_destroy(&a);
  return found;
}

/// The stack that the caller is on. Empty if nobody knows, as of code that others have given a stack.
addresses stack_here(std::uintptr_t here) {
  const fiber* const f = current_fiber();
  if(f != nullptr && f->size() != 0) {
    const auto begin = reinterpret_cast<std::uintptr_t>(f->begin());
    return {begin, begin + f->size()};
  }
  static thread_local const addresses own = of_thread();
  return own.contain(here) ? own : addresses{};
}

std::mutex mutex;

/// By the ends of the stacks: not more than there ever were at a time.
std::map<std::uintptr_t, borrowed_stack>& all_stacks() {
  static auto* const all =
    new std::map<std::uintptr_t, borrowed_stack>; // launches may end after it would
  return *all;
}

std::uintptr_t address_of_frame(void* frame) { return reinterpret_cast<std::uintptr_t>(frame); }

} // namespace

void borrowed_variables::borrow(std::uintptr_t lowest) {
  const addresses stack = stack_here(lowest);
  const std::lock_guard lock(mutex);
  if(of_ != nullptr) {
    of_->remove(*this);
    lowest = std::min(lowest, lowest_);
  }
  lowest_ = lowest;
  all_stacks()[stack.end].add(*this);
}

[[gnu::noinline]] void borrowed_variables::look_at_pointer(std::uintptr_t p) {
  const std::uintptr_t here = address_of_frame(__builtin_frame_address(0));
  const addresses stack = stack_here(here);
  if(!stack.contain(p))
    return;
  // As where launches were kept back for a while.
  if(p < here)
    have_ended_.store(true, std::memory_order_relaxed);
  else
    borrow(p);
}

[[gnu::noinline]] void borrowed_variables::look_at_words(
  const std::uintptr_t* words, std::size_t n) {
  const std::uintptr_t here = address_of_frame(__builtin_frame_address(0));
  const addresses stack = stack_here(here);
  std::uintptr_t lowest = stack.end;
  for(std::size_t i = 0; i != n; ++i)
    if(words[i] > here && words[i] < lowest)
      lowest = words[i];
  if(lowest < stack.end)
    borrow(lowest);
}

void borrowed_variables::give_back() {
  const std::lock_guard lock(mutex);
  if(of_ != nullptr)
    of_->remove(*this);
}

void note_returns(const void* frame) {
  const auto here = reinterpret_cast<std::uintptr_t>(frame);
  const addresses stack = stack_here(here);
  const std::lock_guard lock(mutex);
  const auto found = all_stacks().find(stack.end);
  if(found != all_stacks().end())
    found->second.end_below(here);
}

} // namespace rondo::detail::inline core

#endif
