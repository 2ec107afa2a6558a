#pragma once

/// \file
/// Launches with as many accesses as turn out at run time.

#include <cstddef>
#include <source_location>
#include <span>
#include <utility>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail {

template<class Body, class Head, class Region, std::size_t... I>
void submit_reading(flow& f, Body&& body, Head& head,
  [[maybe_unused]] std::span<Region* const> regions, const std::source_location& where,
  std::index_sequence<I...>) {
  f.submit(std::forward<Body>(body), write(head, where), read(*regions[I], where)...);
}
template<class Body, class Head, class Region, std::size_t... I>
void submit_writing(flow& f, Body&& body, Head& head,
  [[maybe_unused]] std::span<Region* const> regions, const std::source_location& where,
  std::index_sequence<I...>) {
  f.submit(std::forward<Body>(body), write(head, where), write(*regions[I], where)...);
}

/// Writes `head` and reads, or writes, all `regions`, of which there are at most `Most`.
template<std::size_t Most, bool Writes, class Body, class Head, class Region>
void submit_over(flow& f, Body&& body, Head& head,
  [[maybe_unused]] std::span<Region* const> regions, const std::source_location& where) {
  if constexpr(Most > 0)
    if(regions.size() < Most) {
      submit_over<Most - 1, Writes>(f, std::forward<Body>(body), head, regions, where);
      return;
    }
  if constexpr(Writes)
    submit_writing(
      f, std::forward<Body>(body), head, regions, where, std::make_index_sequence<Most>());
  else
    submit_reading(
      f, std::forward<Body>(body), head, regions, where, std::make_index_sequence<Most>());
}

} // namespace rondo::detail
