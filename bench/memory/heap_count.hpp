#pragma once

#include <cstdint>

namespace bench {

// Calls of malloc and its relatives by this process so far. Allocators that take pages from the
// system by themselves (TBB's) are not seen here; the resident size sees them.
std::uint64_t heap_allocations();

} // namespace bench
