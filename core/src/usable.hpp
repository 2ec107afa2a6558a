#pragma once

#include "cgroup.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

// How many workers are worth their while, found out with a few small files. An executor needs no more than that
// to begin; hwloc, which looks at the whole machine, takes milliseconds, and is asked only if somebody wants
// to know more (`this_machine`).

namespace rondo::detail::inline core {

/// The hardware threads that some thread of this process may run on, ascending: a library may have bound the calling
/// one already. In the kernel's numbers, as all of these.
std::vector<unsigned> allowed_threads();

/// "0-3,8": the numbers in the kernel's lists of CPUs. Empty if it is none.
std::vector<unsigned> parse_cpu_list(std::string_view list);

/// Whether hwloc was told of another machine than this one, of which the kernel knows nothing.
bool is_another_machine();

/// The cores of these hardware threads, one by one, as the kernel tells in /sys/devices/system/cpu: a core is known by
/// the first of its threads. Nothing if the kernel doesn't tell.
std::optional<std::vector<unsigned>> find_cores(
  std::span<const unsigned> threads, const file_reader& read);

/// How many cores the hardware threads `allowed` belong to. Nothing if the kernel doesn't tell.
std::optional<std::size_t> count_cores(std::span<const unsigned> allowed, const file_reader& read);

/// What `this_machine().usable` is. Looked at once, then constant; safe from any thread.
unsigned usable_here();

} // namespace rondo::detail::inline core
