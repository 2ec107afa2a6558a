#pragma once

/// \file
/// Deques of forks beyond the one that each worker has: a stack that is left with open offers takes its deque
/// along, and the worker needs another one.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <rondo/core/split_deque.hpp>

namespace rondo::detail::inline core {

/// Offers that one stack may have open at a time; a fork beyond that is run at once.
inline constexpr std::uint32_t fork_capacity = std::uint32_t{1} << 16U;

class fork_deque_pool {
public:
  split_deque& take() {
    const std::lock_guard lock(mutex_);
    if(spare_.empty()) {
      spare_.reserve(all_.size() + 1); // room to take it back comes first: that must not fail
      all_.push_back(std::make_unique<split_deque>(fork_capacity, split_deque::overflow::refuse));
      return *all_.back();
    }
    split_deque& d = *spare_.back();
    spare_.pop_back();
    return d;
  }

  void keep(split_deque& d) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(&d); // there is room for all there are
  }

private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<split_deque>> all_;
  std::vector<split_deque*> spare_;
};

} // namespace rondo::detail::inline core
