#pragma once

/// \file
/// What the topologies and fields of a launch have to do with it, whatever their types: the checks
/// and the halos before a launch are compiled once, and not for each task.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/gathering.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/distributed/topology.hpp>

namespace rondo::detail::inline distributed {

// Lists of these, and of `ghost_actions`, are made for each launch: nothing is written that nobody reads.

struct launch_argument {
  topology_state* of;
  field_state* field; ///< Null if the task has a view.
  privilege owned;
  privilege ghosts;
  short depth; ///< Of the ghosts that are read. 0 if none are.

  [[nodiscard]] bool is_written() const { return writes(owned) || writes(ghosts); }
  [[nodiscard]] std::uint32_t number() const {
    return field != nullptr ? field->number() : of->number();
  }
};

/// What a launch keeps of an argument: of handles the object behind it, which stays where it is. Of a value nothing but a
/// reference.
template<class P, class A>
decltype(auto) behind(A& a) {
  if constexpr(is_view<P> || is_accessor<P>) {
    static_assert(std::is_same_v<std::remove_cvref_t<A>, typename argument_of<P>::type>,
      "rondo::scheduler: this task's parameter is the view of another kind of topology, or an "
      "accessor to fields of "
      "another type of values");
    return a.state();
  }
  else
    return (a);
}

/// Calls `f` with what is behind the arguments of a task with those parameters.
template<class... P, class F, class... A>
decltype(auto) with_objects(std::type_identity<std::tuple<P...>>, F&& f, A&... arguments) {
  return f(behind<P>(arguments)...);
}

/// All but values.
template<std::size_t Count>
struct argument_list {
  std::array<launch_argument, Count + 1> all; // one more, since an array of none is none
  std::size_t count = 0;

  template<class P, class A>
  void add([[maybe_unused]] A& a) {
    if constexpr(is_view<P>)
      all[count++] = {&a, nullptr, na, na, 0};
    else if constexpr(is_accessor<P>)
      all[count++] = {&a.of(), &a, accessor_kind<P>::owned, accessor_kind<P>::ghosts,
        reads(accessor_kind<P>::ghosts) ? accessor_kind<P>::depth : short{0}};
  }
  [[nodiscard]] std::span<const launch_argument> list() const { return {all.data(), count}; }
};

/// `Parameters` is the std::tuple of the task's; the arguments are those that `behind` gives.
template<class Parameters, class... A>
argument_list<sizeof...(A)> list_arguments(A&... arguments) {
  argument_list<sizeof...(A)> all;
  [&]<class... P>(std::type_identity<std::tuple<P...>>) { (all.template add<P>(arguments), ...); }(
    std::type_identity<Parameters>());
  return all;
}

/// Layers of colors are those of one mesh. Colors that see each other in a coarser one need not be in layers side by side; in one
/// that is staggered they are.
[[nodiscard]] inline bool may_be_gathered(
  const topology_state& over, std::span<const launch_argument> uses) {
  for(const launch_argument& a : uses)
    if(a.ghosts != na && a.of != &over && !a.of->sees_as(over))
      return false;
  return true;
}

/// What is done for the fields of a launch before: at most one thing for each.
template<std::size_t Count>
struct halo_list {
  halo_list() = default;
  halo_list(const halo_list& other) : count(other.count) {
    for(std::size_t i = 0; i != count; ++i) // no others are set
      all[i] = other.all[i];
  }
  halo_list& operator=(const halo_list&) = delete;

  std::array<ghost_actions, Count + 1> all;
  std::size_t count = 0;
  [[nodiscard]] std::span<const ghost_actions> list() const { return {all.data(), count}; }
};

} // namespace rondo::detail::inline distributed
