#pragma once

/// \file
/// What a task that calls MPI gets for an argument of `execute_mpi`: mpi_task.hpp.

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/distributed/mpi_task.hpp>
#include <rondo/distributed/task.hpp>

namespace rondo::detail::inline distributed {

template<class P, class A>
P mpi_argument(A&& argument) {
  using one = typename of_one_color<P>::type;
  static_assert(!contributes<one>,
    "rondo::scheduler::execute_mpi: what a task contributes to neighbours is folded only where "
    "the task is launched with execute or reduce");
  if constexpr(is_view<one> || is_accessor<one>) {
    auto& object = argument.state();
    const auto at = [&](std::size_t color) {
      if constexpr(is_view<one>)
        return one(object.view_of(color));
      else
        return accessor_kind<one>::make(object.block(color));
    };
    if constexpr(is_per_color<P>) {
      std::size_t colors = 0;
      if constexpr(is_view<one>)
        colors = object.local_colors();
      else
        colors = object.of().local_colors();
      std::vector<one> all;
      for(std::size_t c = 0; c != colors; ++c)
        all.push_back(at(c));
      return P(std::move(all));
    }
    else
      return at(0);
  }
  else if constexpr(is_future<std::remove_cvref_t<A>> && !is_future<P>)
    return static_cast<P>(argument.get());
  else
    return static_cast<P>(std::forward<A>(argument));
}

} // namespace rondo::detail::inline distributed
