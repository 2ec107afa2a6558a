#pragma once

/// \file
/// Which tasks go into nodes of an executor's pools, and the stock of nodes for threads that are no workers.

#include <cstddef>
#include <mutex>
#include <new>

#include <rondo/core/task_pool.hpp>

namespace rondo::detail::inline core {

/// Nodes of one and of two lines.
inline constexpr std::size_t small_node = cache_line;
inline constexpr std::size_t large_node = 2 * cache_line;

/// Whether an object of type T goes into a node of that size; what fits into none comes from the heap.
template<class T>
inline constexpr bool fits_node(std::size_t node) {
  return sizeof(T) <= node && alignof(T) <= cache_line;
}

/// Where workers' magazines are filled.
struct task_depots {
  task_depot small{small_node};
  task_depot large{large_node};
};

/// Any thread.
class outside_stock {
public:
  explicit outside_stock(task_depots& depots) : small_(depots.small), large_(depots.large) {}

  template<class T>
  void* allocate() {
    if constexpr(fits_node<T>(large_node)) {
      const std::lock_guard lock(mutex_);
      return fits_node<T>(small_node) ? small_.allocate() : large_.allocate();
    }
    else
      return ::operator new(sizeof(T), std::align_val_t{alignof(T)});
  }

private:
  std::mutex mutex_;
  task_magazine small_;
  task_magazine large_;
};

} // namespace rondo::detail::inline core
