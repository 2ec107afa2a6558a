#include <rondo/observe/phases.hpp>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace rondo::detail::inline observe {

namespace {

/// All that listen, in no order.
struct listener_list {
  std::mutex mutex;
  std::vector<phase_listener*> all;
  std::atomic<std::size_t> count{0};
};
listener_list& listeners() {
  static listener_list list;
  return list;
}

std::atomic<std::uint64_t> listeners_made{0};

} // namespace

phase_listener::phase_listener()
    : number_(listeners_made.fetch_add(1, std::memory_order_relaxed) + 1) {}

void phase_listener::listen() {
  const std::lock_guard lock(listeners().mutex);
  listeners().all.push_back(this);
  listeners().count.store(listeners().all.size(), std::memory_order_relaxed);
}

void phase_listener::listen_no_more() {
  const std::lock_guard lock(listeners().mutex);
  std::erase(listeners().all, this);
  listeners().count.store(listeners().all.size(), std::memory_order_relaxed);
}

void phase_listener::each(function_ref<void(phase_listener&)> f) {
  const std::lock_guard lock(listeners().mutex);
  for(phase_listener* const l : listeners().all)
    f(*l);
}

bool phase_listener::are_any() { return listeners().count.load(std::memory_order_relaxed) != 0; }

} // namespace rondo::detail::inline observe
