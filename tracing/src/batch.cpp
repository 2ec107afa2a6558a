#include <rondo/tracing/batch.hpp>

#include <bit>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

void batch::clear() {
  ended.store(0, std::memory_order_relaxed);
  met = 0;
  standing_.store(0, std::memory_order_relaxed);
  memory_.clear();
}

// Relaxed: what was noted of a launch was acquired when it was claimed.
void batch::prepare(std::uint32_t at, std::uint32_t count) {
  std::uint64_t left = standing_.load(std::memory_order_relaxed) >> at;
  if(count != most)
    left &= (std::uint64_t{1} << count) - 1;
  for(; left != 0; left &= left - 1) {
    const std::uint32_t i = at + static_cast<std::uint32_t>(std::countr_zero(left));
    launches[i]->begin_anew(*this, uses_[i]);
  }
}

executor* executor_of(const batch& b) { return &b.home.ex_; }

} // namespace rondo::detail::inline tracing
