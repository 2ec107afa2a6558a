#pragma once

/// \file
/// `transform_reduce`: the fold of what a function makes of each element, or of each pair of
/// elements of two ranges.
///
/// \code
///   rondo::executor ex;
///   double dot = rondo::transform_reduce(ex, x.begin(), x.end(), y.begin(), 0.0);
///   double norm1 = rondo::transform_reduce(ex, x.begin(), x.end(), 0.0, std::plus<>(),
///     [](double a) { return std::abs(a); });
/// \endcode
///
/// Guarantees as for `reduce`: the same bits for any number of workers.

#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/fold.hpp>

namespace rondo {

template<splittable_iterator I, class T, class Op, class F, chunking C = auto_chunks>
  requires std::is_invocable_r_v<T, Op&, T, T> && std::invocable<F&, std::iter_reference_t<I>>
T transform_reduce(executor& ex, I first, I last, T init, Op op, F f, C chunks = {}) {
  const auto get = [first, fast = detail::local_copy<std::iter_reference_t<I>>(f)](
                     std::size_t i) { return std::invoke(fast, *detail::advanced(first, i)); };
  return detail::fold(ex, detail::length(first, last), false, std::move(init), get, op, chunks);
}

template<splittable_iterator I, class T, class Op, class F, chunking C = auto_chunks>
  requires std::is_invocable_r_v<T, Op&, T, T> && std::invocable<F&, std::iter_reference_t<I>>
T transform_reduce(I first, I last, T init, Op op, F f, C chunks = {}) {
  return rondo::transform_reduce(
    detail::here(), first, last, std::move(init), std::move(op), std::move(f), chunks);
}

template<splittable_iterator I, splittable_iterator J, class T, class Op = std::plus<>,
  class F = std::multiplies<>, chunking C = auto_chunks>
  requires std::is_invocable_r_v<T, Op&, T, T> &&
           std::invocable<F&, std::iter_reference_t<I>, std::iter_reference_t<J>>
T transform_reduce(
  executor& ex, I first, I last, J second, T init, Op op = {}, F f = {}, C chunks = {}) {
  const auto get = [first, second,
                     fast = detail::local_copy<std::iter_reference_t<I>, std::iter_reference_t<J>>(
                       f)](std::size_t i) {
    return std::invoke(fast, *detail::advanced(first, i), *detail::advanced(second, i));
  };
  constexpr bool cheap = std::is_same_v<F, std::multiplies<>>;
  return detail::fold(ex, detail::length(first, last), cheap, std::move(init), get, op, chunks);
}

template<splittable_iterator I, splittable_iterator J, class T, class Op = std::plus<>,
  class F = std::multiplies<>, chunking C = auto_chunks>
  requires std::is_invocable_r_v<T, Op&, T, T> &&
           std::invocable<F&, std::iter_reference_t<I>, std::iter_reference_t<J>>
T transform_reduce(I first, I last, J second, T init, Op op = {}, F f = {}, C chunks = {}) {
  return rondo::transform_reduce(
    detail::here(), first, last, second, std::move(init), std::move(op), std::move(f), chunks);
}

} // namespace rondo
