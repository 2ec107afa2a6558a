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

/// A locked ring buffer that grows, and in front of it a place for one job that needs no lock:
/// a job that comes alone passes from one core to another with a single line of memory.
/// Looking whether all is empty costs two loads of a line that rarely changes, which is what
/// workers do between tasks.
class submission_queue {
public:
  void push(job* j) {
    // Only while nothing queues behind: what a thread pushes stays in order.
    job* nobody = nullptr;
    // Release: the job. seq_cst: ordered before the look at the sleepers that follows.
    if(size_.load(std::memory_order_relaxed) == 0 &&
       express_.load(std::memory_order_relaxed) == nullptr &&
       express_.compare_exchange_strong(
         nobody, j, std::memory_order_seq_cst, std::memory_order_relaxed))
      return;
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
    // seq_cst loads, here and below: the last look of a worker before it sleeps.
    if(express_.load(std::memory_order_seq_cst) != nullptr)
      if(job* const first = express_.exchange(nullptr, std::memory_order_acquire))
        return first;
    if(size_.load(std::memory_order_seq_cst) == 0)
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

  /// Takes `j` if it has been pushed while nothing else was here.
  bool pop_express(job* j) {
    job* expected = j;
    return express_.load(std::memory_order_relaxed) == j &&
           express_.compare_exchange_strong(
             expected, nullptr, std::memory_order_acquire, std::memory_order_relaxed);
  }

  [[nodiscard]] bool empty() const {
    return express_.load(std::memory_order_seq_cst) == nullptr &&
           size_.load(std::memory_order_seq_cst) == 0;
  }

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
  alignas(64) std::atomic<job*> express_{nullptr};
  std::atomic<std::size_t> size_{0}; ///< Of the ring.
};

} // namespace rondo
