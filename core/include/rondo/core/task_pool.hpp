#pragma once

/// \file
/// Memory for tasks: nodes of one or two cache lines from slabs, handed out by the worker that
/// needs one and taken back by the worker that ran it.
///
/// Each worker keeps a magazine, a list of free nodes that nobody else touches. Nodes that
/// travel (made here, run there) come home in batches through the depot, so a worker that only
/// produces and one that only consumes still allocate nothing in steady state.

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <rondo/core/split_deque.hpp>

namespace rondo {

/// What all magazines of an executor share. Thread-safe.
class task_depot {
public:
  static constexpr std::size_t batch_size = 64;

  struct free_node {
    free_node* next;
  };

  explicit task_depot(std::size_t node_size) : node_size_(node_size) {}

  /// A list of `batch_size` nodes.
  free_node* withdraw() {
    const std::lock_guard lock(mutex_);
    if(batches_.empty())
      return carve();
    free_node* const batch = batches_.back();
    batches_.pop_back();
    return batch;
  }

  /// Takes back a list of `batch_size` nodes.
  void deposit(free_node* batch) {
    const std::lock_guard lock(mutex_);
    batches_.push_back(batch);
  }

private:
  struct slab_delete {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{cache_line}); }
  };

  free_node* carve() {
    slabs_.emplace_back(static_cast<std::byte*>(
      ::operator new[](node_size_* batch_size, std::align_val_t{cache_line})));
    free_node* list = nullptr;
    for(std::size_t i = batch_size; i-- != 0;)
      list = new(slabs_.back().get() + i * node_size_) free_node{list};
    return list;
  }

  std::size_t node_size_;
  std::mutex mutex_;
  std::vector<free_node*> batches_;
  std::vector<std::unique_ptr<std::byte[], slab_delete>> slabs_;
};

/// One thread's stock of nodes of one size.
class task_magazine {
public:
  explicit task_magazine(task_depot& depot) : depot_(depot) {}

  void* allocate() {
    if(current_ == nullptr) [[unlikely]]
      refill();
    task_depot::free_node* const node = current_;
    current_ = node->next;
    // The node was last written by the worker that ran it, perhaps on another core.
    __builtin_prefetch(current_, 1);
    --count_;
    return node;
  }

  void deallocate(void* memory) {
    if(count_ == task_depot::batch_size) [[unlikely]]
      put_aside();
    current_ = new(memory) task_depot::free_node{current_};
    ++count_;
  }

private:
  void refill() {
    current_ = spare_ != nullptr ? spare_ : depot_.withdraw();
    spare_ = nullptr;
    count_ = task_depot::batch_size;
  }

  /// One full batch stays at hand, so that going up and down around a batch's end does not
  /// visit the depot each time.
  void put_aside() {
    if(spare_ != nullptr)
      depot_.deposit(spare_);
    spare_ = current_;
    current_ = nullptr;
    count_ = 0;
  }

  task_depot& depot_;
  task_depot::free_node* current_ = nullptr;
  task_depot::free_node* spare_ = nullptr;
  std::size_t count_ = 0;
};

} // namespace rondo
