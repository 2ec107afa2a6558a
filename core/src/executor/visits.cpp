#include <rondo/core/visits.hpp>

#include <thread>

namespace rondo::detail::inline core {

void visits::await_end() const {
  while(under_way_.load(std::memory_order_acquire) != 0)
    std::this_thread::yield();
}

} // namespace rondo::detail::inline core
