#pragma once

/// \file
/// Launches with as many accesses as turn out at run time.

#include <cstddef>
#include <source_location>
#include <span>
#include <utility>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

// What is done with all of some regions.
inline constexpr auto reading = [](auto& r, const std::source_location& where) {
  return read(r, where);
};
inline constexpr auto writing = [](auto& r, const std::source_location& where) {
  return write(r, where);
};
inline constexpr auto writing_a_part = [](auto& r, const std::source_location& where) {
  return write_part(r, where);
};

/// With just so many regions.
template<std::size_t... I, class Body, class HeadAccess, class Head, class Access, class Region>
void submit_with(std::index_sequence<I...>, flow& f, Body&& body, HeadAccess head_access,
  Head& head, [[maybe_unused]] Access access, [[maybe_unused]] Region* const* regions,
  const std::source_location& where) {
  f.submit(std::forward<Body>(body), head_access(head, where), access(*regions[I], where)...);
}

/// With an access to `head`, and one to each of `regions`, of which there are at most `Most`; both are some of those above.
/// (Accesses are made where they are used: to hand them over costs as much as to make them.)
template<std::size_t Most, class Body, class HeadAccess, class Head, class Access, class Region>
void submit_over(flow& f, Body&& body, HeadAccess /*head_access*/, Head& head, Access /*access*/,
  std::span<Region* const> regions, const std::source_location& where) {
  const auto choose = [&]<std::size_t... N>(std::index_sequence<N...>) {
    using submits = void (*)(flow&, Body&&, Head&, Region* const*, const std::source_location&);
    static constexpr submits by_count[] = {
      [](flow& to, Body&& b, Head& h, Region* const* r, const std::source_location& w) {
        submit_with(std::make_index_sequence<N>(), to, std::forward<Body>(b), HeadAccess(), h,
          Access(), r, w);
      }...};
    by_count[regions.size()](f, std::forward<Body>(body), head, regions.data(), where);
  };
  choose(std::make_index_sequence<Most + 1>());
}

} // namespace rondo::detail::inline distributed
