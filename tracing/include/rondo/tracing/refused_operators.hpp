#pragma once

/// \file
/// A pass_number is no number: computing with it is refused in a sentence. For pass_number.hpp.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <rondo/core/never.hpp>
#include <rondo/tracing/access.hpp>

namespace rondo::detail::inline tracing {

template<class P>
concept is_pass_number = std::same_as<P, access_to<std::uint64_t, access_mode::read>>;

/// What is said of all of them.
template<class P>
int refuse_to_compute() {
  static_assert(never<P>,
    "rondo: a pass_number stands for the number, which is not known when the body of repeat is "
    "called: give it to a task that takes a std::size_t, and compute there. A body that needs the "
    "number itself is one of iterate, which gives it a std::uint64_t");
  return 0;
}

template<is_pass_number P, std::integral N>
int operator+(const P&, N) {
  return refuse_to_compute<P>();
}
template<is_pass_number P, std::integral N>
int operator-(const P&, N) {
  return refuse_to_compute<P>();
}
template<is_pass_number P, class N>
  requires std::is_arithmetic_v<N>
int operator*(const P&, N) {
  return refuse_to_compute<P>();
}
template<is_pass_number P, std::integral N>
int operator%(const P&, N) {
  return refuse_to_compute<P>();
}
template<is_pass_number P, std::integral N>
bool operator==(const P&, N) {
  return refuse_to_compute<P>() == 0;
}

} // namespace rondo::detail::inline tracing
