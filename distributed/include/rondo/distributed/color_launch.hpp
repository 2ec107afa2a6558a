#pragma once

/// \file
/// The launch of a task for one color: what it is given, now or when its turn comes in gathering.hpp.

#include <cstddef>
#include <source_location>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/core/plain_tuple.hpp>
#include <rondo/distributed/checked_pointer.hpp>
#include <rondo/distributed/gathering.hpp>
#include <rondo/distributed/ghost_actions.hpp>
#include <rondo/distributed/launch_arguments.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

/// What a color's launch gets for the K-th of a task's parts, see task.hpp: values are copied, since
/// each color has its own.
template<class Parameters, std::size_t K, class Arguments>
auto part_for(const Arguments& arguments, [[maybe_unused]] std::size_t color,
  [[maybe_unused]] const std::source_location& where) {
  constexpr launch_part part = parameter_lists<Parameters>::parts[K];
  auto& argument = nth<part.parameter>(arguments);
  if constexpr(part.what == launch_part::value) {
    using value = std::decay_t<decltype(argument)>;
#ifdef RONDO_CHECKS
    using P = std::tuple_element_t<part.parameter, Parameters>;
    if constexpr(is_checked_pointer<P> && std::is_convertible_v<value, P>)
      return checked_pointer<std::remove_pointer_t<P>>(argument, part.parameter + 1);
    else
#endif
      return value(argument);
  }
  else {
    const std::size_t which = argument.seen_by(color);
    region<color_block>& r =
      part.what == launch_part::owned ? argument.owned(which) : argument.ghosts(which);
    if constexpr(part.is_written)
      return rondo::write(r, where);
    else
      return rondo::read(r, where);
  }
}

/// How an argument is kept until the tasks are launched: topologies and fields stay where they are.
template<class P, class A>
using kept_argument = std::conditional_t<is_value<P>, const std::decay_t<A>, A&>;
/// While the launches are made: where the argument is. An array or a function is handed over as a pointer, which is nowhere yet.
template<class P, class A>
using seen_argument = std::conditional_t<std::is_array_v<A> || std::is_function_v<A>,
  kept_argument<P, A>, std::remove_reference_t<kept_argument<P, A>>&>;

/// With the priority, if it is another one than launches have that say nothing.
template<priority P, class Function>
auto with_priority(Function f) {
  if constexpr(P == priority::normal)
    return f;
  else
    return hinted({.priority = P}, std::move(f));
}

/// Submits the task for one color, with its parts.
template<auto F, priority P = priority::normal>
struct submits_task {
  flow& to;
  std::source_location where;
  template<class... Parts>
  auto operator()(const color_task<F>& task, Parts&&... parts) const {
    return to.submit(
      with_priority<P>(named(name_of_task<F>, task, where)), std::forward<Parts>(parts)...);
  }
};

/// The same of a reduction, where the task also leaves its value with those of the other colors.
template<auto F, class Reduction, priority P = priority::normal>
struct submits_part_of {
  flow& to;
  Reduction& values;
  std::source_location where;
  template<class... Parts>
  void operator()(const color_task<F>& task, Parts&&... parts) const {
    to.submit(with_priority<P>(named(name_of_task<F>, color_reduction<F>{task}, where)),
      rondo::write(values.of(task.color()), where), std::forward<Parts>(parts)...);
  }
};

/// Launches the task for one color; `arguments` is a plain_tuple of references.
template<auto F, class Submit, class Arguments>
void submit_color(const Submit& submit, std::size_t color, const std::source_location& where,
  const Arguments& arguments, std::span<const ghost_actions> before, named_neighbours& named) {
  using lists = lists_of<F>;
  using parameters = typename signature_of<F>::parameters;
  [&]<std::size_t... M, std::size_t... K>(std::index_sequence<M...>, std::index_sequence<K...>) {
    color_task<F> task(
      typename color_task<F>::meshes(std::in_place, &nth<lists::viewed[M]>(arguments)...), color);
    if constexpr(names_neighbours<parameters>)
      submit(task, part_for<parameters, K>(arguments, color, where)..., named.of(before, color));
    else
      submit(task, part_for<parameters, K>(arguments, color, where)...);
  }(std::make_index_sequence<lists::viewed.size()>(),
    std::make_index_sequence<lists::parts.size()>());
}

template<auto F, class Submit, class... Kept>
class gathered_colors final : public gathered {
public:
  using halos_before = halo_list<sizeof...(Kept)>;
  template<class... A>
  gathered_colors(
    Submit submit, const halos_before& halos, const std::source_location& where, A&... arguments)
      : submit_(std::move(submit)), arguments_(std::in_place, arguments...), halos_(halos),
        where_(where) {}
  void launch(std::size_t color) override {
    submit_color<F>(submit_, color, where_, references_to(arguments_), halos_.list(), named_);
  }
  [[nodiscard]] std::span<const ghost_actions> halos() const override { return halos_.list(); }
  [[nodiscard]] const std::source_location& where() const override { return where_; }

private:
  Submit submit_;
  plain_tuple<Kept...> arguments_;
  halos_before halos_;
  named_neighbours named_;
  std::source_location where_;
};

} // namespace rondo::detail::inline distributed
