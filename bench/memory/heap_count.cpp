// Counts by defining malloc itself: operator new, the C library's own calls and other libraries all
// come through here. glibc keeps its originals under these names.

#include "memory/heap_count.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {
constinit std::atomic<std::uint64_t> calls{0};

void count() { calls.fetch_add(1, std::memory_order_relaxed); }
} // namespace

std::uint64_t bench::heap_allocations() { return calls.load(std::memory_order_relaxed); }

extern "C" {
void* malloc(std::size_t n) {
  count();
  return __libc_malloc(n);
}
void* calloc(std::size_t k, std::size_t n) {
  count();
  return __libc_calloc(k, n);
}
void* realloc(void* p, std::size_t n) {
  count();
  return __libc_realloc(p, n);
}
void* memalign(std::size_t a, std::size_t n) {
  count();
  return __libc_memalign(a, n);
}
void* aligned_alloc(std::size_t a, std::size_t n) {
  count();
  return __libc_memalign(a, n);
}
int posix_memalign(void** p, std::size_t a, std::size_t n) {
  count();
  *p = __libc_memalign(a, n);
  return *p == nullptr ? ENOMEM : 0;
}
}
