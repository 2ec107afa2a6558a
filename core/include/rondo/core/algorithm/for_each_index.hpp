#pragma once

/// \file
/// `for_each_index`: nested loops over one to three indices as one parallel loop.
///
/// \code
///   rondo::executor ex;
///   rondo::for_each_index(ex, rondo::extents{ny, nx}, [&](std::size_t j, std::size_t i) {
///     v[j * nx + i] = 0.25 * (u[(j - 1) * nx + i] + ...);
///   });
/// \endcode
///
/// The last index runs fastest, in a plain loop that the compiler can vectorize. With
/// `auto_chunks` all indices are cut, also the last one, so that a few long lines are as well
/// balanced as many short ones. For the other chunkings a chunk counts lines, that is values of
/// all indices but the last, except of a single index.
///
/// Guarantees, exceptions and stopping as for `for_each`; one extent of 0 makes an empty loop.
/// Extents whose product no std::size_t can hold are a std::length_error.

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/loop.hpp>
#include <rondo/core/two_numbers.hpp>

namespace rondo {

/// How many values each index has; the slowest index comes first.
template<std::size_t Dimensions>
  requires(Dimensions >= 1 && Dimensions <= 3)
struct extents {
  template<std::convertible_to<std::size_t>... N>
    requires(sizeof...(N) == Dimensions)
  explicit(sizeof...(N) == 1) constexpr extents(N... n) : along{static_cast<std::size_t>(n)...} {}

  std::array<std::size_t, Dimensions> along;

  /// All combinations of indices.
  [[nodiscard]] constexpr std::size_t size() const {
    std::size_t product = 1;
    for(const std::size_t n : along) {
      if(n == 0)
        return 0; // whatever the others are
    }
    for(const std::size_t n : along) {
      if(product > std::numeric_limits<std::size_t>::max() / n)
        throw std::length_error("rondo::extents: more indices than a std::size_t can count");
      product *= n;
    }
    return product;
  }
};

template<class... N>
extents(N...) -> extents<sizeof...(N)>;

namespace detail::inline core {

/// Calls `f` for `count` indices of one line, the one that holds the flat index `at`.
template<class F>
void call_along(const extents<1>&, std::size_t at, std::size_t count, F& f) {
  for(std::size_t i = at, end = at + count; i != end; ++i)
    invoke_with(f, i);
}

template<class F>
void call_along(const extents<2>& e, std::size_t at, std::size_t count, F& f) {
  const std::size_t j = at / e.along[1];
  for(std::size_t i = at % e.along[1], end = i + count; i != end; ++i)
    invoke_with(f, j, i);
}

template<class F>
void call_along(const extents<3>& e, std::size_t at, std::size_t count, F& f) {
  const std::size_t line = at / e.along[2];
  const std::size_t k = line / e.along[1], j = line % e.along[1];
  for(std::size_t i = at % e.along[2], end = i + count; i != end; ++i)
    invoke_with(f, k, j, i);
}

template<std::size_t>
using index = std::size_t;

template<class F, class>
struct index_call;

template<class F, std::size_t... D>
struct index_call<F, std::index_sequence<D...>> {
  static constexpr bool valid = std::is_invocable_v<F&, index<D>...>;
  static constexpr bool nothrow = std::is_nothrow_invocable_v<F&, index<D>...>;
  static auto copy(F& f) { return local_copy<index<D>...>(f); }
};

template<class F, std::size_t Dimensions>
using index_call_of = index_call<F, std::make_index_sequence<Dimensions>>;

} // namespace detail::inline core

template<std::size_t Dimensions, class F, chunking C = auto_chunks>
  requires detail::index_call_of<F, Dimensions>::valid
bool for_each_index(
  executor& ex, extents<Dimensions> e, F f, C chunks = {}, std::stop_token stop = {}) {
  using call = detail::index_call_of<F, Dimensions>;
  const std::size_t all = e.size();
  const std::size_t line = all == 0 ? 1 : e.along[Dimensions - 1];
  // One unit is what chunks count: an index or a line.
  const std::size_t unit = Dimensions == 1 || std::same_as<C, auto_chunks> ? 1 : line;
  const auto body = [&](std::size_t from, std::size_t to) noexcept(call::nothrow) {
    auto fast = call::copy(f);
    if constexpr(Dimensions == 1) {
      detail::call_along(e, from, to - from, fast);
    }
    else {
      std::size_t at = from * unit, rest = (to - from) * unit;
      while(rest != 0) {
        const std::size_t count = detail::smaller_of(rest, line - at % line);
        detail::call_along(e, at, count, fast);
        at += count;
        rest -= count;
      }
    }
  };
  detail::loop_control control(std::move(stop));
  ex.run([&] { detail::run_loop(all / unit, chunks, body, control); });
  return control.complete();
}

template<std::size_t Dimensions, class F, chunking C = auto_chunks>
  requires detail::index_call_of<F, Dimensions>::valid
bool for_each_index(extents<Dimensions> e, F f, C chunks = {}, std::stop_token stop = {}) {
  return rondo::for_each_index(detail::here(), e, std::move(f), chunks, std::move(stop));
}

} // namespace rondo
