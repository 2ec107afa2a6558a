#pragma once

#include "cgroup.hpp"

#include <optional>
#include <span>

// How many workers are worth their while, found out with a few small files. An executor needs no more than that
// to begin; hwloc, which looks at the whole machine, takes milliseconds, and is asked only if somebody wants
// to know more (`this_machine`).

namespace rondo::detail::inline core {

/// How many cores the hardware threads `allowed` (in the kernel's numbers, ascending) belong to, as the kernel tells in
/// /sys/devices/system/cpu. Nothing if it doesn't.
std::optional<std::size_t> count_cores(std::span<const unsigned> allowed, const file_reader& read);

/// What `this_machine().usable` is. Looked at once, then constant; safe from any thread.
unsigned usable_here();

} // namespace rondo::detail::inline core
