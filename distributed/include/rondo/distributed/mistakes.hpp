#pragma once

/// \file
/// What is said of launches that can't be: in a sentence that names the task and the parameter, instead of what
/// follows from the mistake far inside. The overloads of `execute` and `reduce` that take such launches are in scheduler.hpp.

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/core/task.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/parameters.hpp>
#include <rondo/distributed/signature.hpp>
#include <rondo/distributed/topology.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/tracing/hints.hpp>
#include <rondo/tracing/loop.hpp>
#include <rondo/tracing/pass_number.hpp>

namespace rondo {
template<std::size_t D>
class structured;
}

namespace rondo::detail::inline distributed {

template<class T>
inline constexpr bool is_a_field = false;
template<class T>
inline constexpr bool is_a_field<field<T>> = true;
template<class T>
inline constexpr bool is_field = is_a_field<std::remove_cvref_t<T>>;
template<class T>
inline constexpr bool is_topology = std::is_base_of_v<topology, std::remove_cvref_t<T>>;
template<class T>
inline constexpr bool is_a_structured_mesh = false;
template<std::size_t D>
inline constexpr bool is_a_structured_mesh<structured<D>> = true;
/// Unstructured meshes say themselves what files have of them: stored.hpp.
template<class T>
concept has_cells_in_files =
  is_topology<T> && requires(const std::remove_cvref_t<T>& m) { m.in_files(); };
/// Fields, and particles.
template<class T>
inline constexpr bool has_values_in_files = is_a_field<T>;
template<class T>
concept in_files = has_values_in_files<T>;
/// Ragged fields, and particles.
template<class T>
inline constexpr bool has_rows_of_values = false;
template<class T>
inline constexpr bool has_rows_of_values<field<ragged<T>>> = true;
template<class T>
concept in_rows = has_rows_of_values<T>;
template<class T>
concept has_files = is_a_structured_mesh<T> || has_cells_in_files<T>;
/// What is to be written with a mesh, or read.
template<class M, class... A>
concept has_other_than_fields = has_files<std::remove_cvref_t<M>> && !(in_files<A> && ...);
template<class T>
inline constexpr bool is_without_files =
  is_topology<T> && !is_a_structured_mesh<std::remove_cvref_t<T>> && !has_cells_in_files<T>;
template<class T>
inline constexpr bool is_changeable_reference =
  std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;

template<class P>
inline constexpr bool is_parameter = !is_field<P> && !is_topology<P> && !is_changeable_reference<P>;

/// Says what is wrong with a parameter as the task declares it. They are counted from 1.
template<auto Task, std::size_t Number, class Parameter>
struct explain_parameter {
  static_assert(!is_field<Parameter>, "rondo: a task takes no field but an accessor, which says "
                                      "what it does with the field: field<T>::accessor<rw, ro>");
  static_assert(!is_topology<Parameter>,
    "rondo: a task takes no mesh but its view, which has one color of it: structured<2>::view");
  static_assert(
    is_field<Parameter> || is_topology<Parameter> || !is_changeable_reference<Parameter>,
    "rondo: a task takes no references: accessors, views and values are handed over by value, for "
    "each color its own. "
    "A task returns its result, for reduce, or writes it to a field");
};

/// Whether the value of a future can be what the parameter takes.
template<class P, class A>
inline constexpr bool is_future_for = false;
template<class P, class T>
inline constexpr bool is_future_for<P, future<T>> =
  std::is_convertible_v<const std::remove_reference_t<T>&, P>;
template<class P>
inline constexpr bool is_future_for<P, future<void>> = false;

/// Whether the task's parameter can be launched with that argument.
template<class P, class A>
constexpr bool fits() {
  if constexpr(is_view<P> || is_accessor<P>)
    return std::is_same_v<std::remove_cvref_t<A>, typename argument_of<P>::type>;
  else
    return std::is_convertible_v<std::decay_t<A>, P> || is_future_for<P, std::remove_cvref_t<A>> ||
           (std::is_same_v<std::remove_cvref_t<A>, pass_number> && takes_pass_number<P>);
}

/// The first parameter of a task on rank 0 takes a future of its own type only: `execute` has to know where it is launched.
template<class P, class A>
inline constexpr bool is_other_future =
  is_future<std::remove_cvref_t<A>> && !std::is_convertible_v<std::decay_t<A>, P> &&
  !std::is_same_v<std::remove_cvref_t<A>, future<P>>;

template<auto Task, std::size_t Number, class Parameter, class Argument>
struct explain_argument {
  static constexpr bool is_fine =
    fits<Parameter, Argument>() && !(Number == 1 && is_other_future<Parameter, Argument>);
  static_assert(is_fine || !is_view<Parameter>,
    "rondo: this parameter is a view, so the argument has to be "
    "the mesh, or the topology, that the view is of");
  static_assert(is_fine || !is_accessor<Parameter>,
    "rondo: this parameter is an accessor, so the argument has "
    "to be a field of the same type of values");
  static_assert(is_fine || !is_value<Parameter> || !is_future<std::remove_cvref_t<Argument>>,
    "rondo: the argument is a future of something else than this parameter of the task; let then "
    "make the right one of it: f.then([](int n) { return double(n); })");
  static_assert(is_fine || !is_value<Parameter> || is_future<std::remove_cvref_t<Argument>>,
    "rondo: the argument can't be converted to this parameter of the task");
};

/// The result of a task without a topology goes to all ranks as bytes.
template<class R>
inline constexpr bool is_sendable = std::is_void_v<R> || std::is_trivially_copyable_v<R>;
template<auto Task, class Result>
struct explain_result {
  static_assert(is_sendable<Result>,
    "rondo: the result of a task on rank 0 is sent to all ranks as "
    "bytes; its type must be trivially copyable, or the "
    "task return nothing");
};

template<auto Task, std::size_t Parameters, std::size_t Arguments>
struct explain_count {
  static_assert(Parameters == Arguments,
    "rondo: the task is launched with another number of arguments than it has parameters");
};

/// Where there is a priority, or hints, among the arguments.
template<class A>
inline constexpr bool is_priority_or_hint =
  std::is_same_v<std::remove_cvref_t<A>, priority> ||
  std::is_same_v<std::remove_cvref_t<A>, launch_hints> || is_hinted<std::remove_cvref_t<A>>;
template<auto Task, class Argument>
struct explain_priority {
  static_assert(never<Argument>,
    "rondo: a priority is no argument of the launch, and hinted(...) is for flow.submit: the "
    "priority of a task over a mesh comes behind the task, s.execute<task, priority::high>(m, u), "
    "s.reduce<task, fold::sum, priority::high>(m, u)");
};

/// What a task over a topology may have: its values, the accesses that its accessors stand for, and what is reduced.
inline constexpr std::size_t most_parts = 63;
template<class... P>
constexpr std::size_t parts_of(bool returns) {
  std::size_t parts = returns ? 1 : 0;
  [[maybe_unused]] const auto add = [&parts]<class X>(std::type_identity<X>) {
    if constexpr(is_accessor<X>)
      parts +=
        (accessor_kind<X>::owned != na ? 1U : 0U) + (accessor_kind<X>::ghosts != na ? 1U : 0U);
    else if constexpr(!is_view<X>)
      ++parts;
  };
  (add(std::type_identity<P>()), ...);
  return parts;
}
template<auto Task, std::size_t Parts>
struct explain_number_of_parts {
  static_assert(Parts <= most_parts,
    "rondo: a task has 63 accesses and values at the most; an accessor that also sees ghosts has "
    "two accesses, and a result is one. Put what belongs together into one field, "
    "field<std::array<double, 3>>, and values into a struct; or launch two tasks");
};

/// The place of the first `false`, or their number.
template<std::size_t N>
constexpr std::size_t first_false(const bool (&all)[N]) {
  std::size_t i = 0;
  while(i + 1 != N && all[i])
    ++i;
  return i;
}

struct no_mistake {};

template<auto F, class Declared, class Parameters, class... A>
struct find_mistake;
template<auto F, class... D, class... P, class... A>
struct find_mistake<F, std::type_identity<std::tuple<D...>>, std::tuple<P...>, A...> {
  static constexpr std::size_t count = sizeof...(P);
  static constexpr bool is_over_a_topology = (!is_value<P> || ...);
  static constexpr std::size_t bad_parameter = first_false({is_parameter<D>..., true});
  static constexpr std::size_t parts =
    parts_of<P...>(is_over_a_topology && !std::is_void_v<typename signature_of<F>::result>);
  static constexpr bool is_first_other = [] {
    if constexpr(sizeof...(A) == count && count != 0 && !is_over_a_topology)
      return is_other_future<std::tuple_element_t<0, std::tuple<P...>>,
        std::tuple_element_t<0, std::tuple<A...>>>;
    else
      return false;
  }();
  static constexpr std::size_t bad_argument = [] {
    if constexpr(sizeof...(A) != count)
      return count;
    else if constexpr(is_first_other)
      return 0;
    else
      return first_false({fits<P, A>()..., true});
  }();

  static constexpr auto find() {
    using result = typename signature_of<F>::result;
    if constexpr(bad_parameter == count && parts > most_parts)
      return std::type_identity<explain_number_of_parts<F, parts>>();
    else if constexpr(bad_parameter != count)
      return std::type_identity<explain_parameter<F, bad_parameter + 1,
        std::tuple_element_t<bad_parameter, std::tuple<D...>>>>();
    else if constexpr((is_priority_or_hint<A> || ...) &&
                      (sizeof...(A) != count || bad_argument != count))
      return std::type_identity<explain_priority<F, std::tuple<std::decay_t<A>...>>>();
    else if constexpr(sizeof...(A) != count)
      return std::type_identity<explain_count<F, count, sizeof...(A)>>();
    else if constexpr(bad_argument != count)
      return std::type_identity<
        explain_argument<F, bad_argument + 1, std::tuple_element_t<bad_argument, std::tuple<P...>>,
          std::tuple_element_t<bad_argument, std::tuple<A...>>>>();
    else if constexpr(!is_over_a_topology && !is_sendable<std::decay_t<result>>)
      return std::type_identity<explain_result<F, std::decay_t<result>>>();
    else
      return std::type_identity<no_mistake>();
  }
};

/// Of a launch; `sizeof` of it is an error that says what is wrong.
template<auto F, class... A>
using mistake = typename decltype(find_mistake<F, typename signature_of<F>::declared,
  typename signature_of<F>::parameters, A...>::find())::type;
template<auto F, class... A>
concept is_mistaken = !std::is_same_v<mistake<F, A...>, no_mistake>;

/// Of what the colors return; of a task that returns nothing something else is said.
template<auto F, auto Op, class R = std::decay_t<typename signature_of<F>::result>>
inline constexpr bool cannot_fold =
  !std::is_invocable_v<std::remove_cv_t<decltype(Op)>&, R&, const R&>;
template<auto F, auto Op>
inline constexpr bool cannot_fold<F, Op, void> = false;

template<auto Value>
concept is_priority = std::is_same_v<std::remove_cv_t<decltype(Value)>, priority>;
/// Of what is given behind the task.
template<auto...>
inline constexpr bool begin_with_priority = false;
template<auto First, auto... Rest>
inline constexpr bool begin_with_priority<First, Rest...> = is_priority<First>;

} // namespace rondo::detail::inline distributed
