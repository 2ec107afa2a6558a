#pragma once

/// \file
/// First in, first out: jobs from threads that are no workers, prioritized ones, and those meant
/// for one worker.

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include <rondo/core/job.hpp>

namespace rondo {

/// A locked ring buffer that grows. Looking whether it is empty costs one load of a line that
/// rarely changes, which is what workers do between tasks.
class submission_queue {
public:
  void push(job* j) {
    const std::lock_guard lock(mutex_);
    const std::size_t size = size_.load(std::memory_order_relaxed);
    if(size == ring_.size())
      grow();
    ring_[(head_ + size) & (ring_.size() - 1)] = j;
    // seq_cst: ordered before the look at the sleepers that follows.
    size_.store(size + 1, std::memory_order_seq_cst);
  }

  /// The oldest job, or null.
  job* pop() {
    if(empty())
      return nullptr;
    const std::lock_guard lock(mutex_);
    const std::size_t size = size_.load(std::memory_order_relaxed);
    if(size == 0)
      return nullptr;
    job* const oldest = ring_[head_];
    head_ = (head_ + 1) & (ring_.size() - 1);
    size_.store(size - 1, std::memory_order_relaxed);
    return oldest;
  }

  // seq_cst: the last look of a worker before it sleeps.
  [[nodiscard]] bool empty() const { return size_.load(std::memory_order_seq_cst) == 0; }

private:
  void grow() {
    std::vector<job*> bigger(ring_.empty() ? 64 : 2 * ring_.size());
    for(std::size_t i = 0; i != ring_.size(); ++i)
      bigger[i] = ring_[(head_ + i) & (ring_.size() - 1)];
    ring_.swap(bigger);
    head_ = 0;
  }

  std::mutex mutex_;
  std::vector<job*> ring_; // a power of two long
  std::size_t head_ = 0;
  alignas(64) std::atomic<std::size_t> size_{0};
};

} // namespace rondo
