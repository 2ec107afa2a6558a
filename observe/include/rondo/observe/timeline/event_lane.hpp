#pragma once

/// \file
/// The events of one thread, in chunks; when there is no room for more, the oldest are dropped.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/core/function_ref.hpp>
#include <rondo/observe/timeline/event.hpp>

namespace rondo::detail::inline observe {

/// How many chunks all lanes of a process may have together; two more each, so that none goes without.
class event_room {
public:
  explicit event_room(std::size_t chunks) : left_(chunks) {}
  bool take() {
    std::size_t left = left_.load(std::memory_order_relaxed);
    while(left != 0)
      if(left_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed))
        return true;
    return false;
  }

private:
  std::atomic<std::size_t> left_;
};

/// One thread writes; others may read when it does so no more.
class event_lane {
public:
  static constexpr std::size_t chunk_size = 16384; ///< Events, 384 KiB.

  explicit event_lane(event_room& room) : room_(room) {}
  event_lane(const event_lane&) = delete;
  event_lane& operator=(const event_lane&) = delete;

  /// Room for `n` events that belong together: they are kept or dropped at once. To be written by the caller. n <= 4.
  timeline_event* add(std::uint32_t n) noexcept {
    if(static_cast<std::size_t>(end_ - next_) < n) [[unlikely]]
      turn_over();
    timeline_event* const first = next_;
    next_ += n;
    return first;
  }
  /// Another one whenever a chunk begins: what is told once must then be told again, since what was before may be dropped.
  [[nodiscard]] std::uint64_t turn(std::uint32_t n) const noexcept {
    return turns_ + (static_cast<std::size_t>(end_ - next_) < n ? 1 : 0);
  }

  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  [[nodiscard]] std::size_t size() const;
  /// In their order.
  void each(function_ref<void(const timeline_event&)> f) const;

private:
  struct chunk {
    std::size_t used = 0;
    timeline_event events[chunk_size];
  };
  void turn_over() noexcept;
  [[nodiscard]] std::size_t used_of_last() const;

  event_room& room_;
  std::vector<std::unique_ptr<chunk>> chunks_; ///< The oldest first.
  timeline_event* next_ = nullptr;
  timeline_event* end_ = nullptr;
  std::uint64_t turns_ = 0;
  std::uint64_t dropped_ = 0;
  timeline_event spare_[4]; ///< Where there is no memory at all.
};

} // namespace rondo::detail::inline observe
