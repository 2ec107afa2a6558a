#include "stack_memory.hpp"

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace rondo::detail::inline core {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

namespace {

/// Linux 6.13 and newer make a page a guard without making the mapping two; the kernel allows
/// only some 65,000 mappings.
constexpr int guard_install = 102; // MADV_GUARD_INSTALL, which older headers do not know

/// Older kernels: mprotect, for so many stacks that half of the mappings are left to others.
constexpr int most_protected = 16'000;
std::atomic<int> protected_stacks{0};

/// Returns whether the page was counted.
bool protect(void* page) {
  static std::atomic<bool> has_guards{true};
  if(has_guards.load(std::memory_order_relaxed)) {
    if(madvise(page, page_size(), guard_install) == 0)
      return false;
    has_guards.store(false, std::memory_order_relaxed);
  }
  // Beyond that number a stack goes without: better than a program that cannot go on.
  if(protected_stacks.load(std::memory_order_relaxed) >= most_protected ||
     mprotect(page, page_size(), PROT_NONE) != 0)
    return false;
  protected_stacks.fetch_add(1, std::memory_order_relaxed);
  return true;
}

} // namespace

stack_memory map_stack(std::size_t size) {
  const std::size_t page = page_size();
  size = (size + page - 1) / page * page + page;
  void* const lowest = mmap(nullptr, size, PROT_READ | PROT_WRITE,
    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if(lowest == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(),
      "rondo: no memory for another stack of " + std::to_string(size / 1024) +
        " KiB; so many tasks wait in get() at the same time. Let them take their futures as "
        "arguments, or co_await them; or make stacks smaller (RONDO_STACK_KIB)");
  // Stacks that are used at the top only shall not be given 2 MiB at once.
  madvise(lowest, size, MADV_NOHUGEPAGE);
  return {lowest, size, protect(lowest)};
}

void unmap_stack(stack_memory s) noexcept {
  munmap(s.lowest, s.size);
  if(s.is_counted)
    protected_stacks.fetch_sub(1, std::memory_order_relaxed);
}

} // namespace rondo::detail::inline core
