#pragma once

/// \file
/// What `when_all` and `when_any` take: a sized range of futures.

#include <ranges>
#include <type_traits>

#include <rondo/futures/future.hpp>

namespace rondo::detail::inline futures {

template<class R>
concept future_range =
  std::ranges::sized_range<R> && is_future<std::remove_cvref_t<std::ranges::range_reference_t<R>>>;

} // namespace rondo::detail::inline futures
