#pragma once

/// \file
/// What the topologies and fields of a launch have to do with it, whatever their types: the checks
/// and the halos before a launch are compiled once, and not for each task.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/gathering.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/distributed/topology.hpp>

namespace rondo::detail::inline distributed {

// Lists of these, and of `halo_use`, are made for each launch: nothing is written that nobody reads.

struct launch_argument {
  topology* of;
  field_base* field; ///< Null: the task has a view.
  privilege owned;
  privilege ghosts;

  [[nodiscard]] bool is_written() const { return writes(owned) || writes(ghosts); }
  [[nodiscard]] std::uint32_t number() const {
    return field != nullptr ? field->number() : of->number();
  }
};

/// Compile-time checks of one argument.
template<class P, class A>
constexpr void check_argument() {
  using argument = std::remove_cvref_t<A>;
  if constexpr(is_view<P>)
    static_assert(std::is_same_v<argument, typename argument_of<P>::type>,
      "rondo::scheduler: this task's parameter is the view of another kind of topology");
  else if constexpr(is_accessor<P>)
    static_assert(std::is_same_v<argument, typename argument_of<P>::type>,
      "rondo::scheduler: this task's parameter is an accessor: the argument must be a field of the "
      "same type of values");
}

/// All but values.
template<std::size_t Count>
struct argument_list {
  std::array<launch_argument, Count + 1> all; // one more, since an array of none is none
  std::size_t count = 0;

  template<class P, class A>
  void add([[maybe_unused]] A& a) {
    check_argument<P, A>();
    if constexpr(is_view<P>)
      all[count++] = {&a, nullptr, na, na};
    else if constexpr(is_accessor<P>)
      all[count++] = {&a.of(), &a, accessor_kind<P>::owned, accessor_kind<P>::ghosts};
  }
  [[nodiscard]] std::span<const launch_argument> list() const { return {all.data(), count}; }
};

/// `Parameters` is the std::tuple of the task's.
template<class Parameters, class... A>
argument_list<sizeof...(A)> list_arguments(A&... arguments) {
  argument_list<sizeof...(A)> all;
  [&]<class... P>(std::type_identity<std::tuple<P...>>) { (all.template add<P>(arguments), ...); }(
    std::type_identity<Parameters>());
  return all;
}

/// What is done for the fields of a launch before: at most one thing for each.
template<std::size_t Count>
struct halo_list {
  halo_list() = default;
  halo_list(const halo_list& other) : count(other.count) {
    std::copy_n(other.all.data(), count, all.data());
  }
  halo_list& operator=(const halo_list&) = delete;

  std::array<halo_use, Count + 1> all;
  std::size_t count = 0;
  [[nodiscard]] std::span<const halo_use> list() const { return {all.data(), count}; }
};

} // namespace rondo::detail::inline distributed
