#pragma once

/// \file
/// The smaller and the larger one of two numbers: std::min and std::max for public headers, since <algorithm> takes a compiler as
/// long as nine thousand lines do.

namespace rondo::detail::inline core {

template<class T>
constexpr T smaller_of(T a, T b) {
  return b < a ? b : a;
}
template<class T>
constexpr T larger_of(T a, T b) {
  return a < b ? b : a;
}

} // namespace rondo::detail::inline core
