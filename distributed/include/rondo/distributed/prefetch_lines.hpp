#pragma once

/// \file
/// Cache lines that another core has, and that will be needed here soon: they come while something else is done.

#include <algorithm>
#include <cstddef>

namespace rondo::detail::inline distributed {

enum class line_use : int { read = 0, write = 1 };

/// The first lines of so many bytes: as many as are on their way at a time. The rest is fetched in its turn, as the hardware sees
/// what is read or written.
template<line_use Use>
void prefetch_lines(const void* first, std::size_t bytes) {
  constexpr std::size_t line = 64;
  constexpr std::size_t most = 8 * line;
  const auto* const p = static_cast<const std::byte*>(first);
  for(std::size_t at = 0; at < std::min(bytes, most); at += line)
    __builtin_prefetch(p + at, static_cast<int>(Use));
}

} // namespace rondo::detail::inline distributed
