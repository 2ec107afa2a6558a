#pragma once

/// \file
/// What `when_all` and `when_any` take: a sized range of futures.

#include <iterator>
#include <type_traits>
#include <utility>

#include <rondo/futures/future.hpp>

namespace rondo::detail::inline futures {

// Not std::ranges::sized_range: <ranges> takes compilers long.
template<class R>
using element_of_range = std::remove_cvref_t<decltype(*std::begin(std::declval<R&>()))>;
template<class R>
concept future_range = requires(R& r) {
  std::end(r);
  std::size(r);
  requires is_future<element_of_range<R>>;
};

} // namespace rondo::detail::inline futures
