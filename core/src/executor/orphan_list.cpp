#include <rondo/core/orphan_list.hpp>

#include <utility>

#include "waiter.hpp"

namespace rondo::detail::inline core {

void orphan_list::add(waiter& w) {
  const std::lock_guard lock(mutex_);
  w.next = std::exchange(first_, &w);
  any_.store(true, std::memory_order_seq_cst);
}

waiter* orphan_list::take_all() {
  const std::lock_guard lock(mutex_);
  any_.store(false, std::memory_order_relaxed);
  return std::exchange(first_, nullptr);
}

} // namespace rondo::detail::inline core
