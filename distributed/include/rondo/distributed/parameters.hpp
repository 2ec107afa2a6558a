#pragma once

/// \file
/// What a task's parameters say: which arguments it is launched with, and what a color's launch gets.
///
/// A parameter is a view, if a topology says so (topology_of), an accessor, if a kind of fields says
/// so (accessor_kind), or else a value.

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include <rondo/distributed/accessor_kind.hpp>
#include <rondo/distributed/block.hpp>
#include <rondo/distributed/coherence.hpp>
#include <rondo/distributed/topology.hpp>

namespace rondo::detail::inline distributed {

template<class...>
struct types {};

template<class P>
inline constexpr bool is_view = !std::is_void_v<typename topology_of<P>::type>;
template<class P>
inline constexpr bool is_value = !is_view<P> && !is_accessor<P>;

/// What it is launched with.
template<class P>
struct argument_of {
  using type = P;
};
template<class P>
  requires is_view<P>
struct argument_of<P> {
  using type = typename topology_of<P>::type;
};
template<class P>
  requires is_accessor<P>
struct argument_of<P> {
  using type = typename accessor_kind<P>::argument;
};

template<class P>
struct accesses_of {
  using type = types<>;
};
template<privilege Which>
using access_type = std::conditional_t<writes(Which), color_block&, const color_block&>;
template<class P>
  requires is_accessor<P>
struct accesses_of<P> {
  static constexpr privilege owned = accessor_kind<P>::owned;
  static constexpr privilege ghosts = accessor_kind<P>::ghosts;
  static_assert(
    owned != na || ghosts != na, "rondo: an accessor with neither privilege is of no use");
  using type = std::conditional_t<owned == na, types<access_type<ghosts>>,
    std::conditional_t<ghosts == na, types<access_type<owned>>,
      types<access_type<owned>, access_type<ghosts>>>>;
};
template<class P>
struct values_of {
  using type = std::conditional_t<is_value<P>, types<P>, types<>>;
};
template<class P>
struct meshes_of {
  using type = types<>;
};
template<class P>
  requires is_view<P>
struct meshes_of<P> {
  using type = types<typename topology_of<P>::type::state_type>;
};

template<class... L>
struct join_types;
template<>
struct join_types<> {
  using type = types<>;
};
template<class... A>
struct join_types<types<A...>> {
  using type = types<A...>;
};
template<class... A, class... B, class... Rest>
struct join_types<types<A...>, types<B...>, Rest...> : join_types<types<A..., B...>, Rest...> {};

template<class X>
inline constexpr std::size_t length_of = 0;
template<class... X>
inline constexpr std::size_t length_of<types<X...>> = sizeof...(X);

/// What a color's launch is given: first an access to each part of a field, then each value.
struct launch_part {
  enum kind { owned, ghosts, value };
  std::size_t parameter = 0;
  kind what = value;
  bool is_written = false;
};

/// Of ghosts the task sees those near.
template<class P>
inline constexpr bool asks_for_less = [] {
  if constexpr(is_accessor<P>)
    return accessor_kind<P>::depth != whole_halo;
  else
    return false;
}();

/// A launch of the task may name its neighbours (coherence.hpp): of some field it reads these, and writes nothing as far as this parameter
/// says.
template<class P>
inline constexpr bool reads_ghosts_only = [] {
  if constexpr(is_accessor<P>)
    return may_name_neighbours({.writes_owned = writes(accessor_kind<P>::owned),
      .writes_ghosts = writes(accessor_kind<P>::ghosts),
      .reads_ghosts = reads(accessor_kind<P>::ghosts)});
  else
    return false;
}();
template<class Parameters>
inline constexpr bool names_neighbours = false;
template<class... P>
inline constexpr bool names_neighbours<std::tuple<P...>> = (reads_ghosts_only<P> || ...);

/// Some parameter says that the task contributes to what neighbours own.
template<class Parameters>
inline constexpr bool contributes_to_neighbours = false;
template<class... P>
inline constexpr bool contributes_to_neighbours<std::tuple<P...>> = (contributes<P> || ...);

template<class Parameters>
struct parameter_lists;
template<class... P>
struct parameter_lists<std::tuple<P...>> {
  using blocks = typename join_types<typename accesses_of<P>::type...>::type;
  using values = typename join_types<typename values_of<P>::type...>::type;
  using meshes = typename join_types<typename meshes_of<P>::type...>::type;
  static constexpr bool is_over_a_topology = (!is_value<P> || ...);
  static constexpr bool some_ends = (has_end<P> || ...);

  static constexpr auto parts = [] {
    std::array<launch_part, length_of<blocks> + length_of<values>> all;
    [[maybe_unused]] std::size_t n = 0;
    [[maybe_unused]] std::size_t i = 0;
    [[maybe_unused]] const auto add_accesses = [&]<class X>(std::type_identity<X>) {
      if constexpr(is_accessor<X>) {
        using kind = accessor_kind<X>;
        if(kind::owned != na)
          all[n++] = {i, launch_part::owned, writes(kind::owned)};
        if(kind::ghosts != na)
          all[n++] = {i, launch_part::ghosts, writes(kind::ghosts)};
      }
      ++i;
    };
    (add_accesses(std::type_identity<P>()), ...);
    i = 0;
    ((is_value<P> ? void(all[n++] = {i, launch_part::value, false}) : void(), ++i), ...);
    return all;
  }();
  /// Which parameter the k-th value is.
  static constexpr std::size_t value_at(std::size_t k) {
    return parts[length_of<blocks> + k].parameter;
  }
  /// The parameters that are views.
  static constexpr auto viewed = [] {
    std::array<std::size_t, length_of<meshes>> all{};
    [[maybe_unused]] std::size_t n = 0;
    [[maybe_unused]] std::size_t i = 0;
    ((is_view<P> ? void(all[n++] = i) : void(), ++i), ...);
    return all;
  }();

  /// Where the I-th one's blocks, its value, or its topology, are among all.
  template<std::size_t I>
  static constexpr std::size_t block = [] {
    const std::size_t counts[] = {length_of<typename accesses_of<P>::type>..., 0};
    std::size_t n = 0;
    for(std::size_t i = 0; i != I; ++i)
      n += counts[i];
    return n;
  }();
  template<std::size_t I>
  static constexpr std::size_t value = [] {
    const bool are_values[] = {is_value<P>..., false};
    std::size_t n = 0;
    for(std::size_t i = 0; i != I; ++i)
      n += are_values[i] ? 1 : 0;
    return n;
  }();
  template<std::size_t I>
  static constexpr std::size_t mesh = [] {
    const bool are_views[] = {is_view<P>..., false};
    std::size_t n = 0;
    for(std::size_t i = 0; i != I; ++i)
      n += are_views[i] ? 1 : 0;
    return n;
  }();
};

} // namespace rondo::detail::inline distributed
