#pragma once

/// \file
/// `for_each`: a function called for every element of a range.
///
/// \code
///   std::vector<double> x(1'000'000, 1.0);
///   rondo::executor ex;
///   rondo::for_each(ex, x.begin(), x.end(), [](double& e) { e = std::sqrt(e) + 1; });
///
///   std::stop_source enough;
///   bool all = rondo::for_each(ex, x.begin(), x.end(), [&](double& e) {
///     if(!improve(e))
///       enough.request_stop();
///   }, rondo::auto_chunks(), enough.get_token());
/// \endcode
///
/// Without the executor it runs on that of the worker that calls it, else on the
/// `default_executor()`. It may be called inside of tasks and of other loops.
///
/// *Guarantees.* Returns when all calls have ended. Each element is visited once, neighbours
/// mostly one after the other on the same worker. *Exceptions*: one of those thrown reaches the
/// caller; calls that have not begun by then may be left out. *Stopping*: after a stop was
/// requested the loop ends as soon as each worker has finished the piece it is at: some 10
/// microseconds of work or one element for auto and static chunks, one chunk for the others. Then
/// the result is false: some elements were not visited. It is true if all were.
///
/// `f` is shared by all workers; one that is small, trivially copyable and callable when const
/// may be copied. Elements of `std::vector<bool>` share memory, so they can be read but not
/// written.

#include <iterator>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/loop.hpp>

namespace rondo {

template<splittable_iterator I, class F, chunking C = auto_chunks>
  requires std::invocable<F&, std::iter_reference_t<I>>
bool for_each(executor& ex, I first, I last, F f, C chunks = {}, std::stop_token stop = {}) {
  using reference = std::iter_reference_t<I>;
  const auto body = [&f, first](std::size_t from, std::size_t to) noexcept(
                      std::is_nothrow_invocable_v<F&, reference>) {
    auto fast = detail::local_copy<reference>(f);
    for(I i = detail::advanced(first, from), end = detail::advanced(first, to); i != end; ++i)
      detail::invoke_with(fast, *i);
  };
  detail::loop_control control(std::move(stop));
  ex.run([&] { detail::run_loop(detail::length(first, last), chunks, body, control); });
  return control.complete();
}

template<splittable_iterator I, class F, chunking C = auto_chunks>
  requires std::invocable<F&, std::iter_reference_t<I>>
bool for_each(I first, I last, F f, C chunks = {}, std::stop_token stop = {}) {
  return rondo::for_each(detail::here(), first, last, std::move(f), chunks, std::move(stop));
}

} // namespace rondo
