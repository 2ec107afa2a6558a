#include <rondo/meshes/elements_by_id.hpp>

#include <numeric>

namespace rondo::detail::inline meshes {

// Tasks that come at the same time may all make it, and the first one to be ready keeps it. This is rare, and no task waits for another one.
const elements_by_id::order& elements_by_id::make(const std::vector<std::int64_t>& ids) const {
  auto made = std::make_unique<order>();
  made->in_order = std::is_sorted_until(ids.begin(), ids.end()) - ids.begin();
  made->others.resize(ids.size() - static_cast<std::size_t>(made->in_order));
  std::iota(made->others.begin(), made->others.end(), static_cast<std::int32_t>(made->in_order));
  std::ranges::sort(
    made->others, {}, [&](std::int32_t e) { return ids[static_cast<std::size_t>(e)]; });
  const order* there = nullptr;
  if(made_.compare_exchange_strong(
       there, made.get(), std::memory_order_acq_rel, std::memory_order_acquire))
    return *made.release();
  return *there;
}

} // namespace rondo::detail::inline meshes
