#pragma once

/// \file
/// Memory for stacks.

#include <cstddef>

namespace rondo::detail::inline core {

struct stack_memory {
  void* lowest;
  std::size_t size; ///< With the guard page.
  bool is_counted;  ///< Its guard page is one of those that are limited in number.
};

/// Throws std::system_error when there is none.
stack_memory map_stack(std::size_t size);
void unmap_stack(stack_memory s) noexcept;

/// The smallest unit of memory that can be protected.
std::size_t page_size();

} // namespace rondo::detail::inline core
