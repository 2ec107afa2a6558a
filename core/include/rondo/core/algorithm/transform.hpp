#pragma once

/// \file
/// `transform`: a range computed from one range, or from two, element by element.
///
/// \code
///   std::vector<double> x(n), y(n), z(n);
///   rondo::executor ex;
///   rondo::transform(ex, x.begin(), x.end(), z.begin(), [](double a) { return std::exp(a); });
///   rondo::transform(ex, x.begin(), x.end(), y.begin(), z.begin(), std::plus<>());
/// \endcode
///
/// Returns the end of the result. The result may be one of the inputs itself, but must not overlap
/// with them in any other way. For the rest see `for_each`.

#include <iterator>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/loop.hpp>

namespace rondo {

template<splittable_iterator I, class F, chunking C = auto_chunks,
  splittable_output<std::invoke_result_t<F&, std::iter_reference_t<I>>> O>
O transform(executor& ex, I first, I last, O out, F f, C chunks = {}) {
  using reference = std::iter_reference_t<I>;
  const auto body = [&f, first, out](std::size_t from, std::size_t to) {
    auto fast = detail::local_copy<reference>(f);
    O o = detail::advanced(out, from);
    for(I i = detail::advanced(first, from), end = detail::advanced(first, to); i != end; ++i, ++o)
      *o = detail::invoke_with(fast, *i);
  };
  const std::size_t n = detail::length(first, last);
  ex.run([&] { detail::run_loop(n, chunks, body); });
  return detail::advanced(out, n);
}

template<splittable_iterator I, class F, chunking C = auto_chunks,
  splittable_output<std::invoke_result_t<F&, std::iter_reference_t<I>>> O>
O transform(I first, I last, O out, F f, C chunks = {}) {
  return rondo::transform(detail::here(), first, last, out, std::move(f), chunks);
}

template<splittable_iterator I, splittable_iterator J, class F, chunking C = auto_chunks,
  splittable_output<std::invoke_result_t<F&, std::iter_reference_t<I>, std::iter_reference_t<J>>> O>
O transform(executor& ex, I first, I last, J second, O out, F f, C chunks = {}) {
  const auto body = [&f, first, second, out](std::size_t from, std::size_t to) {
    auto fast = detail::local_copy<std::iter_reference_t<I>, std::iter_reference_t<J>>(f);
    J j = detail::advanced(second, from);
    O o = detail::advanced(out, from);
    for(I i = detail::advanced(first, from), end = detail::advanced(first, to); i != end;
        ++i, ++j, ++o)
      *o = detail::invoke_with(fast, *i, *j);
  };
  const std::size_t n = detail::length(first, last);
  ex.run([&] { detail::run_loop(n, chunks, body); });
  return detail::advanced(out, n);
}

template<splittable_iterator I, splittable_iterator J, class F, chunking C = auto_chunks,
  splittable_output<std::invoke_result_t<F&, std::iter_reference_t<I>, std::iter_reference_t<J>>> O>
O transform(I first, I last, J second, O out, F f, C chunks = {}) {
  return rondo::transform(detail::here(), first, last, second, out, std::move(f), chunks);
}

} // namespace rondo
