#pragma once

/// \file
/// `join(f, g, ...)`: calls that may run at the same time.
///
/// \code
///   long fib(long n) {
///     if(n < 2)
///       return n;
///     auto [a, b] = rondo::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
///     return a + b;
///   }
///
///   rondo::executor ex;
///   long f = ex.run([] { return fib(35); });
/// \endcode
///
/// The first body is called at once; the others are offered to thieves meanwhile, and are
/// called afterwards, in order, unless they were stolen. A fork lives on the stack of the
/// caller: nothing is allocated, and a fork that nobody steals costs a few instructions more
/// than the call.
///
/// *Results* come back as a std::tuple in the order of the bodies, with `nothing` in the place
/// of void; if all are void, so is the join. *Exceptions*: every body that began has ended when
/// join returns or throws; it throws the first exception in the order of the bodies, and bodies
/// after it that nobody has begun are not called. *Outside of an executor* join enters the
/// `default_executor()`.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/fork.hpp>
#include <rondo/core/pause.hpp>

namespace rondo {

namespace detail::inline core {

template<class... R>
using join_result =
  std::conditional_t<(std::is_void_v<R> && ...), void, std::tuple<value_or_nothing<R>...>>;

// Inlined always: compilers take atomic operations for calls when they estimate sizes, but those in
// here are plain loads and stores.

/// Runs `first` while `forked`, already pushed, is on offer.
template<class F>
[[gnu::always_inline]] inline value_or_nothing<std::invoke_result_t<F&>> call_beside(
  F& first, auto&& abandon) {
  if constexpr(noexcept(first()))
    return call(first);
  else
    try {
      return call(first);
    }
    catch(...) {
      abandon();
      throw;
    }
}

template<class F>
auto join_values(split_deque&, F& f) {
  return std::tuple<value_or_nothing<std::invoke_result_t<F&>>>(call(f));
}

/// Offers the last body first, so that thieves, who take the oldest, take from the end.
template<class F, class... Rest>
[[gnu::always_inline]] inline auto join_values(split_deque& forks, F& f, Rest&... rest) {
  if constexpr(sizeof...(Rest) == 1) {
    auto& g = std::get<0>(std::tie(rest...));
    using g_type = std::remove_reference_t<decltype(g)>;
    fork<g_type> forked(g);
    forked.offer(forks);
    value_or_nothing<std::invoke_result_t<F&>> first =
      call_beside(f, [&] { forked.abandon(forks); });
    return std::tuple<decltype(first), typename fork<g_type>::value_type>(
      static_cast<decltype(first)&&>(first), forked.finish(forks));
  }
  else {
    // All but the first as one offer, which offers its own parts when it runs.
    auto others = [&] { return join_values(*current_forks(), rest...); };
    fork<decltype(others)> forked(others);
    forked.offer(forks);
    value_or_nothing<std::invoke_result_t<F&>> first =
      call_beside(f, [&] { forked.abandon(forks); });
    return std::tuple_cat(
      std::tuple<decltype(first)>(static_cast<decltype(first)&&>(first)), forked.finish(forks));
  }
}

} // namespace detail::inline core

template<class F, class G, class... Rest>
auto join(F&& f, G&& g, Rest&&... rest) -> detail::join_result<std::invoke_result_t<F&>,
  std::invoke_result_t<G&>, std::invoke_result_t<Rest&>...> {
  using result = detail::join_result<std::invoke_result_t<F&>, std::invoke_result_t<G&>,
    std::invoke_result_t<Rest&>...>;
  split_deque* const forks = detail::current_forks();
  if(forks == nullptr) [[unlikely]]
    return default_executor().run([&]() -> result { return join(f, g, rest...); });
  if constexpr(std::is_void_v<result>)
    detail::join_values(*forks, f, g, rest...);
  else
    return detail::join_values(*forks, f, g, rest...);
}

/// Calls `f(0) .. f(n - 1)`; any of the calls may run at the same time. Nothing is allocated.
/// Exceptions as for `join`.
template<class F>
void join_n(std::size_t n, F&& f);

} // namespace rondo

#include <rondo/core/join_n.hpp>
