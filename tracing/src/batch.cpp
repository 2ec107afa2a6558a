#include <rondo/tracing/batch.hpp>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

void batch::clear() {
  ended.store(0, std::memory_order_relaxed);
  met = 0;
  memory_.clear();
}

executor* executor_of(const batch& b) { return &b.home.ex_; }

} // namespace rondo::detail::inline tracing
