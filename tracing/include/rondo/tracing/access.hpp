#pragma once

/// \file
/// What a launch does with a region. The task's function gets the object for it:
///
/// | access                | the function takes | meanwhile                                        |
/// |-----------------------|--------------------|--------------------------------------------------|
/// | `read(r)`             | `const T&`         | others may read                                  |
/// | `write(r)`            | `T&`               | nobody else has it                               |
/// | `write_part(r)`       | `T&`               | others may write theirs, to other parts of the object |
/// | `commute(r)`          | `T&`               | others that commute run before or after, in any order |
/// | `reduce(r, fold::sum)` | `T&`, a copy of its own | anything: copies are folded into the object in the order of the launches |
///
/// `read_write` is another name for `write`, for programs that like to say which it is.
///
/// Launches with `write_part`, one after the other in the program, do not wait for each other: it is the program that sees
/// to it that no two of them touch the same memory. Launches after them wait for all of them.
///
/// A launch whose accesses turn out at run time is given any number of them as data: `region_access`, below.

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>

#include <rondo/futures/arguments.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

/// Operations to fold with. Any type with the same two members does. `identity` gets the object
/// while others may be at work on it: it may look at nothing that tasks change.
namespace detail::inline tracing {

template<class T>
concept is_ordered = requires(const T& a, const T& b) {
  { a < b } -> std::convertible_to<bool>;
};

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
    requires requires(T& into, const T& part) { into = into + part; }
  void operator()(T& into, const T& part) const {
    into = into + part;
  }
  /// Forces, say: each of the numbers.
  template<class T, std::size_t N>
    requires requires(T& into, const T& part) { into = into + part; }
  void operator()(std::array<T, N>& into, const std::array<T, N>& part) const {
    for(std::size_t k = 0; k != N; ++k)
      into[k] = into[k] + part[k];
  }
};
struct product_type {
  template<class T>
  T identity(const T&) const {
    return T{1};
  }
  template<class T>
    requires requires(T& into, const T& part) { into = into * part; }
  void operator()(T& into, const T& part) const {
    into = into * part;
  }
};
/// The least value. One that is no number (NaN) wins over all others, wherever it stands: a solution
/// that has broken down must not look like a good one.
struct min_type {
  template<class T>
    requires std::numeric_limits<T>::is_specialized // or it would be T{}, whatever that is
  T identity(const T&) const {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::max();
  }
  template<class T>
    requires detail::is_ordered<T>
  void operator()(T& into, const T& part) const {
    into = part < into || detail::is_nan(part) ? part : into;
  }
};
/// The greatest value, and NaN as above.
struct max_type {
  template<class T>
    requires std::numeric_limits<T>::is_specialized // or it would be T{}, whatever that is
  T identity(const T&) const {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
  }
  template<class T>
    requires detail::is_ordered<T>
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

/// Of an operation's `identity`: whether the object would be copied for it, while tasks may be at work on that.
template<class F>
inline constexpr bool takes_a_value = false;
template<class R, class C, class A>
inline constexpr bool takes_a_value<R (C::*)(A)> = !std::is_reference_v<A>;
template<class R, class C, class A>
inline constexpr bool takes_a_value<R (C::*)(A) const> = !std::is_reference_v<A>;
template<class R, class C, class A>
inline constexpr bool takes_a_value<R (C::*)(A) const noexcept> = !std::is_reference_v<A>;
template<class R, class A>
inline constexpr bool takes_a_value<R (*)(A)> = !std::is_reference_v<A>;

template<class Op>
inline constexpr bool copies_for_identity = false;
template<class Op>
  requires requires { &Op::identity; }
inline constexpr bool copies_for_identity<Op> = takes_a_value<decltype(&Op::identity)>;

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
  using type = std::conditional_t<Mode == access_mode::read, const T&, T&>;
  static type make(kept_access<T, Mode>& a) { return a.of->object(); }
};
template<class T, class Op>
struct handed_over<kept_access<T, access_mode::reduce, Op>, false> {
  using type = T&;
  static type make(kept_access<T, access_mode::reduce, Op>& a) {
    if(!a.copy)
      a.copy.emplace(a.op.identity(std::as_const(a.of->object())));
    return *a.copy;
  }
};

template<class T, access_mode Mode, class Op>
struct lent<kept_access<T, Mode, Op>, false> : handed_over<kept_access<T, Mode, Op>, false> {};

} // namespace detail::inline futures

/// An access as a value: any but those for `reduce`.
///
/// \code
///   std::vector<rondo::region_access> needs{write(row[i])};
///   for(std::size_t j : neighbours[i])
///     needs.push_back(read(row[j]));
///   flow.submit(relax, needs, i);          // void relax(std::size_t i)
/// \endcode
///
/// A launch takes one vector, array or span of them, beside accesses of the usual kind and other arguments. They say
/// what the launch waits for and what waits for it; their objects are not handed over, since the function is to find them by
/// its other arguments. The values are copied, and an access costs what it costs as an argument. Launches in which the same
/// accesses come again are found, traced and repeated as all others are.
class region_access {
public:
  template<class T, detail::access_mode Mode, class Op>
  // NOLINTNEXTLINE(google-explicit-constructor): it is what it was made from
  region_access(const detail::access_to<T, Mode, Op>& a) : of_(a.of), where_(a.where), mode_(Mode) {
    static_assert(Mode != detail::access_mode::reduce,
      "rondo::region_access: reduce(r) hands over a copy of "
      "its own, so it has to be an argument of submit");
  }

  [[nodiscard]] detail::region_base& of() const { return *of_; }
  [[nodiscard]] std::source_location where() const { return where_; }
  [[nodiscard]] detail::access_mode mode() const { return mode_; }

private:
  detail::region_base* of_;
  std::source_location where_;
  detail::access_mode mode_;
};

namespace detail::inline tracing {

/// An argument of `submit` that is a list of accesses.
template<class A>
inline constexpr bool is_access_list =
  std::is_convertible_v<const std::remove_cvref_t<A>&, std::span<const region_access>>;

/// What a launch keeps of it: nothing, for they are among its accesses.
struct kept_access_list {
  template<class A>
    requires is_access_list<A>
  // NOLINTNEXTLINE(google-explicit-constructor): made from an argument, like all that is kept
  kept_access_list(const A&) {}
};

template<>
inline constexpr bool is_access_list<kept_access_list> = true;

template<class A>
  requires is_access_list<A>
struct kept_as<A> {
  using type = kept_access_list;
};

} // namespace detail::inline tracing

namespace detail::inline futures {

template<>
struct handed_over<kept_access_list, false> {
  using type = void;
};
template<>
struct lent<kept_access_list, false> {
  using type = void;
};

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
auto write_part(region<T>& r, std::source_location where = std::source_location::current()) {
  return detail::access_to<T, detail::access_mode::write_part>{{&r}, where};
}
template<class T>
auto commute(region<T>& r, std::source_location where = std::source_location::current()) {
  return detail::access_to<T, detail::access_mode::commute>{{&r}, where};
}
template<class T, class Op = fold::sum_type>
auto reduce(
  region<T>& r, Op op = {}, std::source_location where = std::source_location::current()) {
  static_assert(!detail::copies_for_identity<Op>,
    "rondo::reduce: identity takes the object by value, so it would be copied while other tasks "
    "write it; let it take "
    "const T&");
  return detail::access_to<T, detail::access_mode::reduce, Op>{{&r, std::move(op)}, where};
}

} // namespace rondo
