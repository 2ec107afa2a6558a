#pragma once

/// \file
/// `reduce`: the sum, or any other fold, of a range. The same bits for any number of workers.
///
/// \code
///   std::vector<double> x(1'000'000, 0.1);
///   rondo::executor ex;
///   double sum = rondo::reduce(ex, x.begin(), x.end(), 0.0);
///   double largest = rondo::reduce(ex, x.begin(), x.end(), x[0],
///     [](double a, double b) { return a < b || b != b ? b : a; });   // keeps NaN; std::max loses it
/// \endcode
///
/// *Guarantees.* `op` must be associative: op(a, op(b, c)) means op(op(a, b), c). It need not be
/// commutative: operands stay in order, `init` is the first. The result of all rounding is
/// reproducible: operands are grouped in a way that depends on their number only, not on the
/// workers, the chunking or the weather. (Sums and products of numbers go to several interleaved
/// accumulators per block; they differ from those of a serial loop in the last bits, and are
/// mostly more accurate.) An empty range gives `init`.
///
/// The type of `init` is that of the result and of all intermediate results; it may be move-only.
/// *Exceptions* of `op` reach the caller.

#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/fold.hpp>

namespace rondo {

template<splittable_iterator I, class T = std::iter_value_t<I>, class Op = std::plus<>,
  chunking C = auto_chunks>
  requires std::is_invocable_r_v<T, Op&, T, T> &&
           std::constructible_from<T, std::iter_reference_t<I>>
T reduce(executor& ex, I first, I last, T init = T{}, Op op = {}, C chunks = {}) {
  const auto get = [first](std::size_t i) -> std::iter_reference_t<I> {
    return *detail::advanced(first, i);
  };
  return detail::fold(ex, detail::length(first, last), true, std::move(init), get, op, chunks);
}

template<splittable_iterator I, class T = std::iter_value_t<I>, class Op = std::plus<>,
  chunking C = auto_chunks>
  requires std::is_invocable_r_v<T, Op&, T, T> &&
           std::constructible_from<T, std::iter_reference_t<I>>
T reduce(I first, I last, T init = T{}, Op op = {}, C chunks = {}) {
  return rondo::reduce(detail::here(), first, last, std::move(init), std::move(op), chunks);
}

} // namespace rondo
