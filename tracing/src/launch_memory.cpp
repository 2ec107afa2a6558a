#include <rondo/tracing/launch_memory.hpp>

#include <algorithm>
#include <utility>

namespace rondo::detail::inline tracing {

void launch_memory::use(std::size_t i) {
  chunk_ = i;
  free_ = chunks_[i].memory.get();
  end_ = free_ + chunks_[i].size;
}

void* launch_memory::reserve_slow(std::size_t size, std::size_t alignment) {
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

} // namespace rondo::detail::inline tracing
