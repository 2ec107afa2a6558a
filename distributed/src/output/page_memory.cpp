#include "page_memory.hpp"

#include <cstdint>
#include <new>

#include <sys/mman.h>

namespace rondo::detail::inline distributed {

page_memory::page_memory(std::size_t bytes) : size_(bytes) {
  if(bytes == 0)
    return;
  constexpr std::size_t large = std::size_t{1} << 21U;
  length_ = bytes < large ? bytes : bytes + large;
  mapped_ = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if(mapped_ == MAP_FAILED)
    throw std::bad_alloc();
  begin_ = static_cast<std::byte*>(mapped_);
  if(bytes < large)
    return;
  begin_ += (large - reinterpret_cast<std::uintptr_t>(mapped_) % large) % large;
  madvise(begin_, (bytes + large - 1) / large * large, MADV_HUGEPAGE); // without, it is slower
}

page_memory::~page_memory() {
  if(length_ != 0)
    munmap(mapped_, length_);
}

} // namespace rondo::detail::inline distributed
