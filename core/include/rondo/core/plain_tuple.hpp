#pragma once

/// \file
/// Values of several types, as std::tuple has them, for what is made anew for each task and its arguments: of the time that
/// compilers spent on such, a third was std::tuple's conversions and comparisons, which nobody needed.

#include <cstddef>
#include <type_traits>
#include <utility>

namespace rondo::detail::inline core {

/// One of the values.
template<std::size_t I, class T>
struct nth_value {
  template<class A>
  constexpr nth_value(std::in_place_t, A&& a) : value(std::forward<A>(a)) {}
  [[no_unique_address]] T value;
};
template<std::size_t I, class T>
struct nth_value<I, T&> {
  constexpr nth_value(std::in_place_t, T& t) : value(t) {}
  T& value;
};
template<std::size_t I, class T>
struct nth_value<I, T&&> {
  constexpr nth_value(std::in_place_t, T&& t) : value(static_cast<T&&>(t)) {}
  T&& value;
};

template<class Numbers, class... T>
struct numbered_values;
template<std::size_t... I, class... T>
struct numbered_values<std::index_sequence<I...>, T...> : nth_value<I, T>... {
  template<class... A>
  constexpr explicit numbered_values(std::in_place_t, A&&... a)
      : nth_value<I, T>(std::in_place, std::forward<A>(a))... {}
};

/// Made with std::in_place, and one argument for each value.
///
/// \code
///   plain_tuple<int, std::string> t(std::in_place, 1, "one");
///   nth<1>(t).size();
/// \endcode
template<class... T>
using plain_tuple = numbered_values<std::index_sequence_for<T...>, T...>;

template<std::size_t I, class T>
constexpr T& nth(nth_value<I, T>& t) {
  return t.value;
}
template<std::size_t I, class T>
constexpr const T& nth(const nth_value<I, T>& t) {
  return t.value;
}

/// As it was handed over: what is no lvalue reference may be moved from.
template<std::size_t I, class T>
constexpr T&& forward_nth(nth_value<I, T>& t) {
  return static_cast<T&&>(t.value);
}

/// References to all of them.
template<std::size_t... I, class... T>
constexpr auto references_to(numbered_values<std::index_sequence<I...>, T...>& t) {
  return plain_tuple<std::remove_reference_t<T>&...>(std::in_place, nth<I>(t)...);
}

} // namespace rondo::detail::inline core
