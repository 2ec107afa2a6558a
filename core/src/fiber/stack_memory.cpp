#include "stack_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sanitizers.hpp"

namespace rondo::detail::inline core {

namespace {

// Larger than any frame that somebody writes by mistake. Under the sanitizers, which keep books of
// all addresses, no more than what their frames need.
#if defined(RONDO_ADDRESS_SANITIZER) || defined(RONDO_THREAD_SANITIZER)
constexpr std::size_t wide = std::size_t{1} << 20U;
#else
constexpr std::size_t wide = std::size_t{64} << 20U;
#endif
constexpr std::size_t narrow = std::size_t{64} << 10U;

/// Linux 6.13 and newer: guards that are no mappings.
constexpr int guard_install = 102; // MADV_GUARD_INSTALL, which older headers do not know

std::atomic<std::size_t> own_mappings{0};

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t rounded_up(std::size_t bytes) {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

/// How many mappings a process may have.
std::size_t most_mappings() {
  std::size_t n = 65'530; // what the kernel grants by itself
  const int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  if(file != -1) {
    char text[32];
    const ssize_t length = read(file, text, sizeof text);
    if(length > 0)
      std::from_chars(text, text + length, n);
    close(file);
  }
  return n;
}

/// Each is two mappings, stack and guard: half of all are left to others.
std::size_t most_own_mappings() {
  static const std::size_t n = most_mappings() / 4;
  return n;
}

/// Bytes of a guard that is a mapping of its own. Guards count where addresses are limited (`ulimit
/// -v`, a batch system): then some thousands of them take a quarter of what there is.
std::size_t wide_guard() {
  rlimit addresses{};
  if(getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY)
    return wide;
  return rounded_up(std::clamp<std::size_t>(addresses.rlim_cur / 16'384, narrow, wide));
}

/// Counted beforehand, so that several threads never make more than there may be.
bool count_own_mapping() {
  if(own_mappings.fetch_add(1, std::memory_order_relaxed) < most_own_mappings())
    return true;
  own_mappings.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

void* map(std::size_t bytes, int protection) {
  void* const lowest = mmap(
    nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  return lowest == MAP_FAILED ? nullptr : lowest;
}

void* top_of(void* lowest, std::size_t guard) { return static_cast<char*>(lowest) + guard; }

/// Addresses without memory, which no limit of memory counts, and the stack above them.
std::optional<stack_memory> map_with_own_guard(std::size_t size) {
  if(!count_own_mapping())
    return std::nullopt;
  const stack_memory s{nullptr, wide_guard(), size, true};
  void* const lowest = map(s.guard + size, PROT_NONE);
  if(lowest != nullptr) {
    if(mprotect(top_of(lowest, s.guard), size, PROT_READ | PROT_WRITE) == 0)
      return stack_memory{lowest, s.guard, size, true};
    munmap(lowest, s.guard + size);
  }
  own_mappings.fetch_sub(1, std::memory_order_relaxed);
  return std::nullopt;
}

/// One mapping, which the kernel may join with its neighbours: so the number of these has no limit.
/// Where the kernel has no such guards, they go without: better than a program that can't go on.
std::optional<stack_memory> map_in_one(std::size_t size) {
  void* const lowest = map(narrow + size, PROT_READ | PROT_WRITE);
  if(lowest == nullptr)
    return std::nullopt;
  const bool is_guarded = madvise(lowest, narrow, guard_install) == 0;
  if(is_guarded)
    return stack_memory{lowest, narrow, size, false};
  return stack_memory{lowest, 0, narrow + size, false};
}

} // namespace

stack_memory map_stack(std::size_t size) {
  size = rounded_up(size);
  std::optional<stack_memory> s = map_with_own_guard(size);
  if(!s)
    s = map_in_one(size);
  if(!s)
    throw std::system_error(errno, std::generic_category(),
      "rondo: no memory for another stack of " + std::to_string(size / 1024) +
        " KiB; so many tasks wait in get() at the same time. Let them take their futures as "
        "arguments, or co_await them; or make stacks smaller (RONDO_STACK_KIB)");
  // Stacks that are used at the top only shall not be given 2 MiB at once.
  madvise(top_of(s->lowest, s->guard), s->size, MADV_NOHUGEPAGE);
  return *s;
}

void unmap_stack(stack_memory s) noexcept {
  munmap(s.lowest, s.guard + s.size);
  if(s.is_counted)
    own_mappings.fetch_sub(1, std::memory_order_relaxed);
}

} // namespace rondo::detail::inline core
