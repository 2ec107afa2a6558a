#pragma once

/// \file
/// A task as launches have it: for one color, for rank 0, and for one that calls MPI.

#include <array>
#include <cstddef>
#include <initializer_list>
#include <source_location>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/core/plain_tuple.hpp>
#include <rondo/core/planned.hpp>
#include <rondo/distributed/call_then.hpp>
#include <rondo/distributed/checked_call.hpp>
#include <rondo/distributed/collective.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/mpi_task.hpp>
#include <rondo/distributed/parameters.hpp>
#include <rondo/distributed/signature.hpp>
#include <rondo/distributed/topology.hpp>
#include <rondo/futures/future.hpp>

namespace rondo::topo {
class global;
}

namespace rondo::detail::inline distributed {

// ---- a color's launch ------------------------------------------------------------------------

/// For messages: which color it is of all. If the task has no view, that is not known, but its place on the rank.
std::string details_of_color(std::initializer_list<const topology_state*> over, std::size_t color);

/// Calls the task for one color. Gets the blocks of all accesses, then all values.
template<auto F, class Blocks, class Values, class Meshes>
struct color_task_with;
template<auto F, class... B, class... V, class... M>
struct color_task_with<F, types<B...>, types<V...>, types<M...>> {
  using parameters = typename signature_of<F>::parameters;
  using lists = parameter_lists<parameters>;
  using meshes = plain_tuple<const M*...>;

  /// Not an aggregate: clang 16 makes nonsense of an empty first member in nested braces.
  color_task_with(const meshes& over, std::size_t color) : over_(over), color_(color) {}
  [[nodiscard]] std::size_t color() const { return color_; }
  [[nodiscard]] std::string details() const {
    return [this]<std::size_t... I>(std::index_sequence<I...>) {
      return details_of_color({static_cast<const topology_state*>(nth<I>(over_))...}, color_);
    }(std::index_sequence_for<M...>());
  }

  auto operator()(B... blocks, V... values) const {
    if(is_only_planned) [[unlikely]]
      return planned_result<std::decay_t<typename signature_of<F>::result>>();
    const cost_meter here(cost());
    const color_block* const all[] = {&blocks..., nullptr};
    plain_tuple<V&...> kept(std::in_place, values...);
    constexpr auto parameters_in_order = std::make_index_sequence<signature_of<F>::count>();
#ifdef RONDO_CHECKS
    const auto uses = uses_of(all, parameters_in_order);
    checked_call checks(name_of_task<F>, {uses.data(), uses.size()});
    return call_then([&] { return call(all, kept, parameters_in_order); },
      [&] {
        end(all, parameters_in_order);
        checks.end();
      });
#else
    if constexpr(lists::some_ends)
      return call_then([&] { return call(all, kept, parameters_in_order); },
        [&] { end(all, parameters_in_order); });
    else
      return call(all, kept, parameters_in_order);
#endif
  }

private:
  [[no_unique_address]] meshes over_;
  std::size_t color_;

  /// Of what the task is over; where it has several views, they are of the same colors, or global. Null if it is not measured.
  [[nodiscard]] color_cost* cost() const {
    color_cost* found = nullptr;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((found = found == nullptr ? nth<I>(over_)->cost_of(color_) : found), ...);
    }(std::index_sequence_for<M...>());
    return found;
  }

  template<std::size_t... I>
  auto call(
    const color_block* const* all, plain_tuple<V&...>& kept, std::index_sequence<I...>) const {
    return F(make<I>(all, kept)...);
  }
  /// Work for kinds of fields when the task has returned.
  template<std::size_t... I>
  static void end([[maybe_unused]] const color_block* const* all, std::index_sequence<I...>) {
    [[maybe_unused]] const auto end_one = [&]<std::size_t J>(
                                            std::integral_constant<std::size_t, J>) {
      using P = std::tuple_element_t<J, parameters>;
      if constexpr(has_end<P>)
        accessor_kind<P>::end(*all[lists::template block<J>]);
    };
    (end_one(std::integral_constant<std::size_t, I>()), ...);
  }
#ifdef RONDO_CHECKS
  template<std::size_t... I>
  static auto uses_of(const color_block* const* all, std::index_sequence<I...>) {
    std::array<checked_use, sizeof...(I) + 1> uses{};
    [[maybe_unused]] const auto add = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      using P = std::tuple_element_t<J, parameters>;
      if constexpr(is_accessor<P> && !has_rows<P>)
        uses[J] = {
          all[lists::template block<J>], accessor_kind<P>::owned, accessor_kind<P>::ghosts};
    };
    (add(std::integral_constant<std::size_t, I>()), ...);
    return uses;
  }
#endif
  template<std::size_t I>
  decltype(auto) make(const color_block* const* all, plain_tuple<V&...>& kept) const {
    using P = std::tuple_element_t<I, parameters>;
    if constexpr(is_view<P>)
      return P(nth<lists::template mesh<I>>(over_)->view_of(color_));
    else if constexpr(is_accessor<P>)
      return accessor_kind<P>::make(*all[lists::template block<I>]);
    else
      return std::move(nth<lists::template value<I>>(kept));
  }
};

template<auto F>
using lists_of = parameter_lists<typename signature_of<F>::parameters>;
template<auto F>
using color_task = color_task_with<F, typename lists_of<F>::blocks, typename lists_of<F>::values,
  typename lists_of<F>::meshes>;

/// The same for one that returns a value to be reduced.
template<auto F, class Blocks = typename lists_of<F>::blocks,
  class Values = typename lists_of<F>::values>
struct color_reduction;
template<auto F, class... B, class... V>
struct color_reduction<F, types<B...>, types<V...>> {
  using result = typename signature_of<F>::result;
  color_task<F> task;
  [[nodiscard]] std::string details() const { return task.details(); }
  void operator()(color_value& r, B... blocks, V... values) const {
    static_cast<reduced<result>&>(r).here = task(blocks..., std::move(values)...);
  }
};

/// What tasks without any topology write.
struct outside_world {};

/// Of a task without any topology.
template<auto F, class Parameters = typename signature_of<F>::parameters>
struct once;
template<auto F, class... P>
struct once<F, std::tuple<P...>> {
  auto operator()(outside_world&, P... values) const {
    if(is_only_planned) [[unlikely]]
      return planned_result<std::decay_t<typename signature_of<F>::result>>();
#ifdef RONDO_CHECKS
    const user_task here(name_of_task<F>);
#endif
    return F(std::move(values)...);
  }
};

/// In place of a task, in a pass that does not run.
template<class R>
[[noreturn]] R in_vain() {
  throw cancelled();
}

/// What launching it gives.
template<class R>
struct promised {
  using type = future<std::decay_t<R>>;
};
template<>
struct promised<void> {
  using type = void;
};

// ---- arguments that know where they were written ---------------------------------------------

template<class T>
struct located_reference {
  located_reference(T& t, std::source_location w = std::source_location::current())
      : what(t), where(w) {}
  T& what;
  std::source_location where;
};
template<class T>
struct located_value {
  located_value(T t, std::source_location w = std::source_location::current())
      : what(std::move(t)), where(w) {}
  /// What becomes one: a literal for a std::string.
  template<class U>
    requires(std::is_convertible_v<U, T> && !std::is_same_v<std::remove_cvref_t<U>, T> &&
              is_future<std::remove_cvref_t<U>> == is_future<T>)
  located_value(U&& u, std::source_location w = std::source_location::current())
      : what(std::forward<U>(u)), where(w) {}
  T what;
  std::source_location where;
};

template<auto F>
struct first_parameter {
  using type = void;
};
template<auto F>
  requires(signature_of<F>::count != 0)
struct first_parameter<F> {
  using type = std::tuple_element_t<0, typename signature_of<F>::parameters>;
};
template<auto F>
using first_of = typename first_parameter<F>::type;

template<class P>
struct future_for {
  using type = future<P>;
};
template<class T>
struct future_for<future<T>> {
  using type = future<T>;
};

/// Of a task that calls MPI: what comes behind the communicator.
template<auto F>
struct second_parameter {
  using type = void;
};
template<auto F>
  requires(signature_of<F>::count > 1)
struct second_parameter<F> {
  using type =
    typename of_one_color<std::tuple_element_t<1, typename signature_of<F>::parameters>>::type;
};
template<auto F>
using second_of = typename second_parameter<F>::type;
template<auto F>
concept is_mpi_task_of_values = signature_of<F>::count > 1 && is_value<second_of<F>>;
template<auto F>
concept is_mpi_task_of_fields = signature_of<F>::count > 1 && !is_value<second_of<F>>;

/// Whether a task over the colors of a topology, which may be topo::global, or surely isn't.
template<class Parameters>
inline constexpr bool has_no_other_views = true;
template<class... P>
inline constexpr bool has_no_other_views<std::tuple<P...>> =
  ((!is_view<P> || std::is_same_v<typename topology_of<P>::type, topo::global>)&&...);
template<auto F>
inline constexpr bool may_be_replicated = has_no_other_views<typename signature_of<F>::parameters>;

template<auto F>
concept runs_over_colors = signature_of<F>::count != 0 && !is_value<first_of<F>>;
template<auto F>
concept runs_once = signature_of<F>::count == 0 || !lists_of<F>::is_over_a_topology;

} // namespace rondo::detail::inline distributed
