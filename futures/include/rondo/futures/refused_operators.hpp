#pragma once

/// \file
/// A future is no value yet: comparing it is refused in a sentence. For future.hpp.

#include <compare>

#include <rondo/core/never.hpp>

namespace rondo {

template<class T>
class future;

/// For <, >, <= and >=, with the future on either side.
template<class T, class Other>
std::partial_ordering operator<=>(const future<T>&, const Other&) { // refused
  static_assert(detail::never<T>,
    "rondo: a future is no value yet: compare in what comes after it, "
    "r.then([](double x) { return x > 1e3; }), which is a future<bool>, or in a task that is given "
    "the "
    "future; r.get() waits for the value");
  return std::partial_ordering::unordered;
}

} // namespace rondo
