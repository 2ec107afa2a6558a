#pragma once

/// \file
/// Programs that are only planned: they launch everything, and their tasks do nothing. docs/protocols/planning.md.

#include <array>
#include <bit>
#include <cstddef>
#include <stdexcept>
#include <type_traits>

namespace rondo::detail::inline core {

/// Changes only while there is no executor.
inline constinit bool is_only_planned = false;

/// The result of a task that has not run: zeros, as far as there are such.
template<class R>
R planned_result() {
  if constexpr(std::is_void_v<R>)
    return;
  else if constexpr(std::is_default_constructible_v<R>)
    return R();
  else if constexpr(std::is_trivially_copyable_v<R>)
    return std::bit_cast<R>(std::array<std::byte, sizeof(R)>{});
  else
    throw std::logic_error(
      "rondo: a task gives a value of a type that has no default constructor, so the program "
      "can't be planned; give it one");
}

} // namespace rondo::detail::inline core
