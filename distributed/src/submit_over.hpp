#pragma once

/// \file
/// Launches with as many accesses as turn out at run time.

#include <cstddef>
#include <source_location>
#include <span>
#include <utility>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

/// With just so many regions.
template<std::size_t... I, bool Writes, class Body, class Head, class Region>
void submit_with(std::index_sequence<I...>, std::bool_constant<Writes>, flow& f, Body&& body,
  Head& head, [[maybe_unused]] Region* const* regions, const std::source_location& where) {
  if constexpr(Writes)
    f.submit(std::forward<Body>(body), write(head, where), write(*regions[I], where)...);
  else
    f.submit(std::forward<Body>(body), write(head, where), read(*regions[I], where)...);
}

/// Writes `head` and reads, or writes, all `regions`, of which there are at most `Most`.
template<std::size_t Most, bool Writes, class Body, class Head, class Region>
void submit_over(flow& f, Body&& body, Head& head, std::span<Region* const> regions,
  const std::source_location& where) {
  const auto choose = [&]<std::size_t... N>(std::index_sequence<N...>) {
    using submits = void (*)(flow&, Body&&, Head&, Region* const*, const std::source_location&);
    static constexpr submits by_count[] = {
      [](flow& to, Body&& b, Head& h, Region* const* r, const std::source_location& w) {
        submit_with(std::make_index_sequence<N>(), std::bool_constant<Writes>(), to,
          std::forward<Body>(b), h, r, w);
      }...};
    by_count[regions.size()](f, std::forward<Body>(body), head, regions.data(), where);
  };
  choose(std::make_index_sequence<Most + 1>());
}

} // namespace rondo::detail::inline distributed
