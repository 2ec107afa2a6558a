#pragma once

/// \file
/// `find_if`: the first element that a predicate accepts.
///
/// \code
///   rondo::executor ex;
///   auto bad = rondo::find_if(ex, x.begin(), x.end(), [](double e) { return std::isnan(e); });
///   if(bad != x.end())
///     fmt::print("not a number at {}\n", bad - x.begin());
/// \endcode
///
/// *Guarantees.* The result is the first match, as that of std::find_if, also when a later one
/// is found earlier; `last` if there is none. Once there is a match, what lies behind it is no
/// longer looked at. The predicate may be called for elements behind the first match, several at a
/// time. *Exceptions* of the predicate, wherever they come from, reach the caller.

#include <atomic>
#include <cstddef>
#include <iterator>
#include <utility>

#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/loop.hpp>

namespace rondo {

template<splittable_iterator I, std::predicate<std::iter_reference_t<I>> P,
  chunking C = auto_chunks>
I find_if(executor& ex, I first, I last, P accept, C chunks = {}) {
  const std::size_t n = detail::length(first, last);
  std::atomic<std::size_t> best{n};
  ex.run([&] {
    detail::run_loop(n, chunks, [&](std::size_t from, std::size_t to) {
      auto fast = detail::local_copy<std::iter_reference_t<I>>(accept);
      // Relaxed: a position carries no data, and the end of the loop orders it before the caller.
      while(from < to) {
        if(best.load(std::memory_order_relaxed) < from)
          return;
        // A look at what others have found every so often: chunks may be long.
        const std::size_t until = to - from > 64 ? from + 64 : to;
        I i = detail::advanced(first, from);
        for(const I end = detail::advanced(first, until); i != end; ++i) {
          if(detail::invoke_with(fast, *i)) {
            const std::size_t found = detail::length(first, i);
            std::size_t seen = best.load(std::memory_order_relaxed);
            while(
              found < seen && !best.compare_exchange_weak(seen, found, std::memory_order_relaxed)) {
            }
            return;
          }
        }
        from = until;
      }
    });
  });
  return detail::advanced(first, best.load(std::memory_order_relaxed));
}

template<splittable_iterator I, std::predicate<std::iter_reference_t<I>> P,
  chunking C = auto_chunks>
I find_if(I first, I last, P accept, C chunks = {}) {
  return rondo::find_if(detail::here(), first, last, std::move(accept), chunks);
}

} // namespace rondo
