#pragma once

/// \file
/// Elements whose type says of which kind they are, so that a checked build tells a cell from a vertex: where a field of vertices is
/// asked for a cell, the number would fit, and the value be another element's.

#include <concepts>

namespace rondo::detail::inline distributed {

/// `E::name` is what one of them is called, "cell" say; `element_name` of their index space returns the same.
template<class E>
concept named_element = requires {
  { E::name } -> std::convertible_to<const char*>;
};

} // namespace rondo::detail::inline distributed
