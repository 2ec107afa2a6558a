#include "allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

std::atomic<std::uint64_t> count{0};
std::atomic<std::int64_t> live{0};
constinit thread_local int refusing = 0;

void* allocate_or_null(std::size_t size, std::size_t alignment) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  if(refusing != 0)
    return nullptr;
  size = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, size != 0 ? size : alignment);
  if(memory != nullptr)
    live.fetch_add(
      static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
  return memory;
}

void release(void* memory) noexcept {
  if(memory != nullptr)
    live.fetch_sub(
      static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
  std::free(memory);
}

void* allocate(std::size_t size, std::size_t alignment) {
  if(void* const memory = allocate_or_null(size, alignment))
    return memory;
  throw std::bad_alloc();
}

} // namespace

no_memory::no_memory() { ++refusing; }
no_memory::~no_memory() { --refusing; }

std::uint64_t allocations() { return count.load(std::memory_order_relaxed); }
std::int64_t live_bytes() { return live.load(std::memory_order_relaxed); }

// All forms: a sanitizer has its own for those that are left out, and they would not match.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
