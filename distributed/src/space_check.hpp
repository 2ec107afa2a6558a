#pragma once

/// \file
/// Whether an index space that a program has written contradicts itself. What is wrong there would else be values in
/// wrong places, or messages of wrong lengths.

#include <cstdint>
#include <string>

#include <rondo/distributed/index_space.hpp>

namespace rondo::detail::inline distributed {

/// Throws std::invalid_argument.
[[noreturn]] void refuse_space(const std::string& name, const std::string& why);

/// What is known from the color alone: where its elements are, what it sees and what it shows.
void check_color(
  const index_space& space, color_id color, std::uint64_t colors, const std::string& name);
/// Its neighbours show what it sees, and see what it shows.
void check_neighbours(const index_space& space, color_id color, const std::string& name);

} // namespace rondo::detail::inline distributed
