#pragma once

/// \file
/// For checked builds: all mistakes that are looked for. The code that refuses one says which one it is, so that the tests can overlook one
/// after the other, and see that each is missed by one of them: tests/overlooked.

#include <cstdint>
#include <span>

#include <rondo/core/checks.hpp>

namespace rondo::detail::inline core {

enum class checked_mistake : std::uint8_t {
  wrong_coordinates, ///< Of an element: too few, or too many.
  wrong_kind,        ///< Of an element: a vertex where the field has cells.
  own_element,       ///< Looked at without the privilege.
  ghost,             ///< The same.
  no_such_value,     ///< Of a topology without points.
  outside_of_mesh,
  not_owned, ///< Nor seen: without any ghosts.
  beyond_halo,
  across_corner,
  deeper_than_declared, ///< Of ghosts.
  no_such_ghost,
  unwritten_element,
  written_ghost,
  changed_ghost,     ///< A ghost that was to be `still`.
  changed_variable,  ///< A variable to which a task was handed a pointer.
  captured_variable, ///< Of a function that has returned.
  handed_variable,   ///< The same, to which a task was handed a pointer.
  unwritten_field,
  call_of_mpi,
};

#ifdef RONDO_CHECKS

/// As RONDO_OVERLOOK names it, for tests: such a mistake is told to nobody. Another name ends the program.
[[nodiscard]] bool is_overlooked(checked_mistake m);
/// In their order.
[[nodiscard]] std::span<const char* const> names_of_mistakes();

#else

constexpr bool is_overlooked(checked_mistake /*m*/) { return false; }

#endif

} // namespace rondo::detail::inline core
