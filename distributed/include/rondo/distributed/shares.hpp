#pragma once

/// \file
/// Things in a row, dealt as evenly as can be.

#include <cstdint>

namespace rondo::detail::inline distributed {

/// n things are cut into `parts` of equal length up to one, the long ones spread evenly. Where
/// part `part` begins (`part` may be `parts`), and the part that thing `index` is in.
[[nodiscard]] std::uint64_t share_begin(std::uint64_t n, std::uint64_t parts, std::uint64_t part);
[[nodiscard]] std::uint64_t share_of(std::uint64_t n, std::uint64_t parts, std::uint64_t index);

} // namespace rondo::detail::inline distributed
