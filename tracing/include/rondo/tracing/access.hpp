#pragma once

/// \file
/// What a launch does with a region. The task's function gets the object for it:
///
/// | access                | the function takes | meanwhile                                        |
/// |-----------------------|--------------------|--------------------------------------------------|
/// | `read(r)`             | `const T&`         | others may read                                  |
/// | `write(r)`            | `T&`               | nobody else has it                               |
/// | `commute(r)`          | `T&`               | others that commute run before or after, in any order |
/// | `reduce(r, fold::sum)` | `T&`, a copy of its own | anything: copies are folded into the object in the order of the launches |
///
/// `read_write` is another name for `write`, for programs that like to say which it is.

#include <functional>
#include <limits>
#include <optional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/futures/arguments.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

/// Operations to fold with. Any type with the same two members does. `identity` gets the object
/// while others may be at work on it: it may look at nothing that tasks change.
namespace detail::inline tracing {

/// No number. Of types other than those of floating point every value is one.
template<class T>
constexpr bool is_nan(const T& value) {
  if constexpr(std::is_floating_point_v<T>)
    return value != value;
  else
    return false;
}

} // namespace detail::inline tracing

namespace fold {
struct sum_type {
  template<class T>
  T identity(const T&) const {
    return T{};
  }
  template<class T>
  void operator()(T& into, const T& part) const {
    into = into + part;
  }
};
struct product_type {
  template<class T>
  T identity(const T&) const {
    return T{1};
  }
  template<class T>
  void operator()(T& into, const T& part) const {
    into = into * part;
  }
};
/// The least value. One that is no number (NaN) wins over all others, wherever it stands: a solution
/// that has broken down must not look like a good one.
struct min_type {
  template<class T>
  T identity(const T&) const {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::max();
  }
  template<class T>
  void operator()(T& into, const T& part) const {
    into = part < into || detail::is_nan(part) ? part : into;
  }
};
/// The greatest value, and NaN as above.
struct max_type {
  template<class T>
  T identity(const T&) const {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
  }
  template<class T>
  void operator()(T& into, const T& part) const {
    into = into < part || detail::is_nan(part) ? part : into;
  }
};
inline constexpr sum_type sum;
inline constexpr product_type product;
inline constexpr min_type min;
inline constexpr max_type max;
} // namespace fold

namespace detail::inline tracing {

/// What a launch keeps of an access.
template<class T, access_mode Mode, class Op = void>
struct kept_access {
  static constexpr access_mode mode = Mode;
  region<T>* of;
};
template<class T, class Op>
struct kept_access<T, access_mode::reduce, Op> {
  static constexpr access_mode mode = access_mode::reduce;
  region<T>* of;
  [[no_unique_address]] Op op;
  std::optional<T> copy{};

  void fold() {
    op(of->object(), std::as_const(*copy));
    copy.reset();
  }
};

/// What `submit` is given.
template<class T, access_mode Mode, class Op = void>
struct access_to : kept_access<T, Mode, Op> {
  using kept = kept_access<T, Mode, Op>;
  std::source_location where;
};

template<class A>
inline constexpr bool is_access = false;
template<class T, access_mode Mode, class Op>
inline constexpr bool is_access<access_to<T, Mode, Op>> = true;
template<class T, access_mode Mode, class Op>
inline constexpr bool is_access<kept_access<T, Mode, Op>> = true;

/// How an argument of `submit` is kept.
template<class A>
struct kept_as {
  using type = A;
};
template<class T, access_mode Mode, class Op>
struct kept_as<access_to<T, Mode, Op>> {
  using type = kept_access<T, Mode, Op>;
};

} // namespace detail::inline tracing

namespace detail::inline futures {

// How a task's function gets accesses: see futures/arguments.hpp.
template<class T, access_mode Mode>
struct handed_over<kept_access<T, Mode>, false> {
  using type = std::tuple<std::conditional_t<Mode == access_mode::read, const T&, T&>>;
  static type make(kept_access<T, Mode>& a) { return type(a.of->object()); }
};
template<class T, class Op>
struct handed_over<kept_access<T, access_mode::reduce, Op>, false> {
  using type = std::tuple<T&>;
  static type make(kept_access<T, access_mode::reduce, Op>& a) {
    if(!a.copy)
      a.copy.emplace(a.op.identity(std::as_const(a.of->object())));
    return type(*a.copy);
  }
};

template<class T, access_mode Mode, class Op>
struct lent<kept_access<T, Mode, Op>, false> : handed_over<kept_access<T, Mode, Op>, false> {};

} // namespace detail::inline futures

template<class T>
auto read(region<T>& r, std::source_location where = std::source_location::current()) {
  return detail::access_to<T, detail::access_mode::read>{{&r}, where};
}
template<class T>
auto write(region<T>& r, std::source_location where = std::source_location::current()) {
  return detail::access_to<T, detail::access_mode::write>{{&r}, where};
}
template<class T>
auto read_write(region<T>& r, std::source_location where = std::source_location::current()) {
  return write(r, where);
}
template<class T>
auto commute(region<T>& r, std::source_location where = std::source_location::current()) {
  return detail::access_to<T, detail::access_mode::commute>{{&r}, where};
}
template<class T, class Op = fold::sum_type>
auto reduce(
  region<T>& r, Op op = {}, std::source_location where = std::source_location::current()) {
  return detail::access_to<T, detail::access_mode::reduce, Op>{{&r, std::move(op)}, where};
}

} // namespace rondo
