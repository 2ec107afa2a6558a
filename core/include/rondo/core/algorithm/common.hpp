#pragma once

/// \file
/// Function objects and iterators as the loops take them.

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/invoke.hpp>

namespace rondo {

/// What the algorithms work on: iterators that can be moved by any distance in constant time,
/// because a range that can't is not cut into halves without walking through it. Iterators of
/// std::list and of streams can't; copy such a range into a std::vector first.
template<class I>
concept splittable_iterator = std::random_access_iterator<I>;

/// Where results are written to; as above.
template<class O, class T>
concept splittable_output = std::random_access_iterator<O> && std::indirectly_writable<O, T>;

namespace detail::inline core {

/// A function object that may be copied behind the user's back, since nobody can tell.
template<class F, class... Args>
inline constexpr bool copied_unnoticed =
  std::is_trivially_copyable_v<F> && sizeof(F) <= 64 && std::is_invocable_v<const F&, Args...>;

/// `f`, which stays where it is.
template<class F>
class called_in_place {
public:
  explicit called_in_place(F& f) : f_(&f) {}
  template<class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return invoke_with(*f_, std::forward<Args>(args)...);
  }

private:
  F* f_;
};

/// What an inner loop should call instead of `f`: a copy on the stack of the loop if possible.
/// The compiler must assume that a loop which stores a double changes the doubles in a lambda
/// that it only has a reference to; it then reloads them, and often does not vectorize.
template<class... Args, class F>
auto local_copy(F& f) {
  if constexpr(copied_unnoticed<F, Args...>) {
    return f;
  }
  else {
    return called_in_place<F>(f);
  }
}

template<std::random_access_iterator I>
I advanced(I first, std::size_t by) {
  return first + static_cast<std::iter_difference_t<I>>(by);
}

template<std::random_access_iterator I>
std::size_t length(I first, I last) {
  return static_cast<std::size_t>(last - first);
}

/// The executor of algorithms that are not given one.
inline executor& here() {
  worker* const w = this_worker();
  return w != nullptr ? w->home() : default_executor();
}

} // namespace detail::inline core
} // namespace rondo
