#pragma once

/// \file
/// Memory for shared states and frames of coroutines. It is not an executor's, because a future
/// may outlive the executor that made its value.

#include <cstddef>

namespace rondo::detail::inline futures {

/// Of all that it gives.
inline constexpr std::size_t pool_alignment = 64;

/// From the thread's own stock; in steady state without the heap.
void* pool_allocate(std::size_t size);
/// With the size that was asked for; in any thread.
void pool_free(void* memory, std::size_t size) noexcept;

} // namespace rondo::detail::inline futures
