#pragma once

/// \file
/// More operations to fold with, in the shape of `fold::sum` (see tracing/access.hpp): where the
/// least or the greatest value is, and whether something holds everywhere or somewhere.
///
/// \code
///   fold::located<double, point<2>> worst(grid::view m, field<double>::accessor<ro, na> u);
///   ...
///   auto w = s.reduce<worst, fold::maxloc>(m, u);
/// \endcode

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <rondo/tracing/access.hpp>

namespace rondo {

namespace detail::inline distributed {

/// The last place of all.
template<class Where>
constexpr Where nowhere(const Where&) {
  return std::numeric_limits<Where>::max();
}
template<class Where, std::size_t N>
constexpr std::array<Where, N> nowhere(const std::array<Where, N>&) {
  std::array<Where, N> all{};
  all.fill(std::numeric_limits<Where>::max());
  return all;
}

} // namespace detail::inline distributed

namespace fold {

/// A value and where it is. Of equal values, the one with the lowest place counts; a value that is no
/// number (NaN) wins over all that are, as in `fold::max`.
template<class T, class Where = std::int64_t>
struct located {
  T value{};
  Where where{};
  friend constexpr bool operator==(const located&, const located&) = default;
};

} // namespace fold

namespace detail::inline distributed {

/// Whether `part` replaces `into`, given whether its value is the better one of two numbers.
template<class Located>
constexpr bool comes_first(const Located& part, const Located& into, bool is_better) {
  const bool part_is_nan = is_nan(part.value);
  const bool into_is_nan = is_nan(into.value);
  if(part_is_nan != into_is_nan)
    return part_is_nan;
  const bool are_equal = part_is_nan || part.value == into.value;
  return is_better || (are_equal && part.where < into.where);
}

} // namespace detail::inline distributed

namespace fold {

struct minloc_type {
  template<class T, class Where>
    requires std::numeric_limits<T>::is_specialized
  located<T, Where> identity(const located<T, Where>& of) const {
    return {min.identity(of.value), detail::nowhere(of.where)};
  }
  template<class T, class Where>
  void operator()(located<T, Where>& into, const located<T, Where>& part) const {
    if(detail::comes_first(part, into, part.value < into.value))
      into = part;
  }
};
struct maxloc_type {
  template<class T, class Where>
    requires std::numeric_limits<T>::is_specialized
  located<T, Where> identity(const located<T, Where>& of) const {
    return {max.identity(of.value), detail::nowhere(of.where)};
  }
  template<class T, class Where>
  void operator()(located<T, Where>& into, const located<T, Where>& part) const {
    if(detail::comes_first(part, into, into.value < part.value))
      into = part;
  }
};

/// Of bool, or of numbers that stand for it.
struct logical_and_type {
  template<class T>
  T identity(const T&) const {
    return T{1};
  }
  template<class T>
  void operator()(T& into, const T& part) const {
    into = static_cast<T>(into && part);
  }
};
struct logical_or_type {
  template<class T>
  T identity(const T&) const {
    return T{0};
  }
  template<class T>
  void operator()(T& into, const T& part) const {
    into = static_cast<T>(into || part);
  }
};

inline constexpr minloc_type minloc;
inline constexpr maxloc_type maxloc;
inline constexpr logical_and_type logical_and;
inline constexpr logical_or_type logical_or;

} // namespace fold

} // namespace rondo
