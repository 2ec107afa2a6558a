#pragma once

/// \file
/// What a rank is in the middle of. There are 65,536 of them, which together should not need more memory than caches have.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace rondo::simulate {

/// Launches from the oldest that has not ended to the latest that is known, two bytes each: for how many others it waits, or
/// that it has ended. The course finds what waits for a launch.
class in_flight {
public:
  static constexpr std::uint16_t ended = UINT16_MAX;

  void prefetch(std::uint32_t number) const {
    __builtin_prefetch(states_.get() + (number & mask_), 1);
    __builtin_prefetch(states_.get() + ((number + 32) & mask_), 1);
  }
  void prefetch() const { prefetch(oldest_); }

  [[nodiscard]] std::uint32_t known() const { return known_; }
  [[nodiscard]] bool has_ended(std::uint32_t number) const {
    return number < oldest_ || states_[number & mask_] == ended;
  }

  /// The next one, that waits for so many, or has `ended`.
  void add(std::uint16_t state) {
    if(states_ == nullptr || known_ - oldest_ > mask_)
      grow();
    states_[known_++ & mask_] = state;
    forget_ended();
  }
  /// What launch `number` waits for has become one less. Returns true if it was the last.
  bool one_less(std::uint32_t number) { return --states_[number & mask_] == 0; }
  void end(std::uint32_t number) {
    states_[number & mask_] = ended;
    forget_ended();
  }

private:
  void forget_ended() {
    while(oldest_ != known_ && states_[oldest_ & mask_] == ended)
      ++oldest_;
  }
  void grow() {
    const std::uint32_t capacity = states_ == nullptr ? 16 : 2 * (mask_ + 1);
    std::unique_ptr<std::uint16_t[]> more(new std::uint16_t[capacity]);
    for(std::uint32_t i = oldest_; i != known_; ++i)
      more[i & (capacity - 1)] = states_[i & mask_];
    states_ = std::move(more);
    mask_ = capacity - 1;
  }

  std::unique_ptr<std::uint16_t[]> states_;
  std::uint32_t mask_ = 0;
  std::uint32_t oldest_ = 0;
  std::uint32_t known_ = 0;
};

/// Launches that only need a worker: those that come first, then the oldest.
class ready_launches {
public:
  void prefetch() const { __builtin_prefetch(heap_.data(), 1); }

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  void push(std::uint32_t number, bool is_first) {
    heap_.push_back(is_first ? number : number | later);
    std::ranges::push_heap(heap_, std::greater());
  }
  std::uint32_t pop() {
    std::ranges::pop_heap(heap_, std::greater());
    const std::uint32_t number = heap_.back() & ~later;
    heap_.pop_back();
    return number;
  }

private:
  static constexpr std::uint32_t later = 1U << 31;
  std::vector<std::uint32_t> heap_;
};

/// Why the main thread does not launch.
enum class waiting_for : std::uint8_t { nothing, one_launch, all, window, end_of_others };

struct alignas(64) rank_state {
  in_flight launches;
  ready_launches ready;
  std::uint32_t role = 0;
  std::uint32_t group_end = 0; ///< Launches are being made up to this one.
  std::uint32_t not_ended = 0; ///< Launches that are known.
  std::uint32_t waits_for = 0; ///< The launch, or wait.
  waiting_for main_waits = waiting_for::nothing;
  bool main_is_idle = true; ///< It neither launches nor runs a task.
  std::uint32_t first_out = 0;
  std::uint32_t first_in = 0;
  std::uint32_t first_idle = 0; ///< Of the others, a ring: those that are idle, by since when.
  std::uint32_t idle = 0;
  std::uint32_t unseen =
    UINT32_MAX; ///< A list: each progress whose message has come while all workers were busy.
  std::int64_t main_free = 0; ///< The main thread can run the next task then.
  std::int64_t computing = 0;
};

} // namespace rondo::simulate
