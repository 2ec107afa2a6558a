#pragma once

/// \file
/// Memory for stacks, with a guard below: docs/protocols/fiber.md.

#include <cstddef>

namespace rondo::detail::inline core {

struct stack_memory {
  void* lowest;      ///< Of the guard.
  std::size_t guard; ///< Bytes that can't be touched.
  std::size_t size;  ///< Bytes of the stack, above the guard.
  bool is_counted;   ///< Its guard is a mapping of its own, and those are limited in number.
};

/// Throws std::system_error when there is none.
stack_memory map_stack(std::size_t size);
void unmap_stack(stack_memory s) noexcept;

} // namespace rondo::detail::inline core
