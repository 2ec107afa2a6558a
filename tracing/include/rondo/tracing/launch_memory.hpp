#pragma once

/// \file
/// Memory for launches, which end together: handed out piece by piece, and used again as a whole.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include <rondo/core/split_deque.hpp>

namespace rondo::detail::inline tracing {

class launch_memory {
public:
  void* reserve(std::size_t size, std::size_t alignment) {
    // What is free begins at a multiple of eight, and almost every launch asks for no more: then there is
    // nothing to do.
    size = (size + grain - 1) & ~(grain - 1);
    auto at = reinterpret_cast<std::uintptr_t>(free_);
    if(alignment > grain)
      at = (at + alignment - 1) & ~(alignment - 1);
    if(at + size > reinterpret_cast<std::uintptr_t>(end_)) [[unlikely]]
      return reserve_slow(size, alignment);
    auto* const memory = reinterpret_cast<std::byte*>(at);
    free_ = memory + size;
    // The core that ran what was here before may still have the line.
    __builtin_prefetch(free_ + 4 * cache_line, 1);
    return memory;
  }
  /// All of it is free again, and kept.
  void clear() {
    if(!chunks_.empty())
      use(0);
  }

private:
  static constexpr std::size_t chunk_size = 8192;
  static constexpr std::size_t grain = 8;
  struct chunk_delete {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{cache_line}); }
  };
  struct chunk {
    std::unique_ptr<std::byte[], chunk_delete> memory;
    std::size_t size;
  };

  void* reserve_slow(std::size_t size, std::size_t alignment);
  void use(std::size_t i);

  std::byte* free_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t chunk_ = 0; ///< The one in use.
  std::vector<chunk> chunks_;
};

} // namespace rondo::detail::inline tracing
