#pragma once

/// \file
/// Memory for values of any alignment.

#include <cstddef>
#include <memory>
#include <new>

namespace rondo::detail::inline distributed {

struct aligned_delete {
  std::align_val_t alignment{};
  void operator()(std::byte* p) const { ::operator delete(p, alignment); }
};
using aligned_bytes = std::unique_ptr<std::byte, aligned_delete>;

[[nodiscard]] inline aligned_bytes allocate_aligned(std::size_t bytes, std::size_t alignment) {
  const std::align_val_t a{alignment};
  return {static_cast<std::byte*>(::operator new(bytes, a)), aligned_delete{a}};
}

} // namespace rondo::detail::inline distributed
