#include <rondo/tracing/batch.hpp>

#include <algorithm>
#include <new>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

void batch::use(std::size_t i) {
  chunk_ = i;
  free_ = chunks_[i].memory.get();
  end_ = free_ + chunks_[i].size;
}

void batch::clear() {
  ended.store(0, std::memory_order_relaxed);
  met = 0;
  if(!chunks_.empty())
    use(0);
}

void* batch::reserve_slow(std::size_t size, std::size_t alignment) {
  const std::size_t i = chunks_.empty() ? 0 : chunk_ + 1;
  if(i == chunks_.size() || chunks_[i].size < size + alignment) {
    const std::size_t bytes = std::max(chunk_size, size + alignment);
    chunk made{std::unique_ptr<std::byte[], chunk_delete>(
                 static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{cache_line}))),
      bytes};
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(i), std::move(made));
  }
  use(i);
  return reserve(size, alignment);
}

executor* executor_of(const batch& b) { return &b.home.ex_; }

} // namespace rondo::detail::inline tracing
