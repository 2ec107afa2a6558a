#include <rondo/core/worker_table.hpp>

#include <rondo/core/worker.hpp>

namespace rondo::detail::inline core {

worker_table::worker_table() : workers_(new std::atomic<worker*>[most]) {}

worker_table::~worker_table() {
  each([](worker& w) { delete &w; });
}

void worker_table::add(std::unique_ptr<worker> w) {
  const unsigned index = size_.load(std::memory_order_relaxed);
  workers_[index].store(w.release(), std::memory_order_release);
  size_.store(index + 1, std::memory_order_release);
}

} // namespace rondo::detail::inline core
