#pragma once

/// \file
/// How the scheduler launches tasks: what of it depends on the task. Part of scheduler.hpp.

#include <cstddef>
#include <memory>
#include <source_location>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/distributed/color_launch.hpp>
#include <rondo/distributed/mpi_turn.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/empty_future.hpp>

namespace rondo {

/// Calls `f` with the field and its fold if the parameter says that the task contributes.
template<class P, class A, class Function>
void scheduler::with_contributions([[maybe_unused]] A& argument, const Function& f) {
  if constexpr(detail::contributes<P>)
    f(argument, detail::accessor_kind<P>::how());
}

template<auto F, class Submit, class... A>
void scheduler::launch_colors(detail::topology_state& over,
  std::span<const detail::launch_argument> uses, const std::source_location& where, Submit submit,
  A&... arguments) {
  [&]<class... P>(std::type_identity<std::tuple<P...>>) {
    using gathered = detail::gathered_colors<F, Submit, detail::kept_argument<P, A>...>;
    typename gathered::halos_before halos;
    constexpr bool names_neighbours = detail::names_neighbours<std::tuple<P...>>;
    halos.count = ghosts_before(
      uses, where, halos.all.data(), (detail::asks_for_less<P> || ...), names_neighbours);
    constexpr bool contributes = detail::contributes_to_neighbours<std::tuple<P...>>;
    if(!contributes && over.order().stages > 1 && detail::may_be_gathered(over, uses))
      gathering_.add<gathered>(over, std::move(submit), halos, where, arguments...);
    else {
      gathering_.launch_gathered();
      for(const detail::ghost_actions& h : halos.list())
        launch_ghosts(h, where);
      if constexpr(contributes)
        (with_contributions<P>(arguments,
           [&](auto& field, const auto& how) { launch_before_contributions(field, how, where); }),
          ...);
      detail::plain_tuple<detail::seen_argument<P, A>...> arguments_seen(
        std::in_place, arguments...);
      const auto arguments_of_color = detail::references_to(arguments_seen);
      detail::named_neighbours named;
      const bool comes_back_soon = over.order().stages > 1; // to a color, in the next wave
      for(const std::size_t c : over.order().colors) {
        if(comes_back_soon)
          flow_.work_on(c, over.order().colors.size());
        detail::submit_color<F>(submit, c, where, arguments_of_color, halos.list(), named);
      }
      flow_.work_on(0, 0);
      if constexpr(contributes)
        (with_contributions<P>(arguments,
           [&](auto& field, const auto& how) { launch_after_contributions(field, how, where); }),
          ...);
    }
  }(std::type_identity<typename detail::signature_of<F>::parameters>());
  note_written(uses);
}

template<auto F, priority P, class... A>
void scheduler::launch(const std::source_location& where, A&&... arguments) {
  using signature = detail::signature_of<F>;
  static_assert(signature::count == sizeof...(A),
    "rondo::scheduler: as many arguments as the task has parameters");
  static_assert(std::is_void_v<typename signature::result>,
    "rondo::scheduler::execute: this task returns a value for each color, which would be lost; use "
    "reduce");
  detail::refuse_empty_futures(
    [&] { return where; }, detail::name_of_task<F>, "parameter", 1, arguments...);
  flow_.open_for(arguments...);
  const auto launch_over = [&](auto&... objects) {
    const auto uses = detail::list_arguments<typename signature::parameters>(objects...);
    const launch_site site{detail::name_of_task<F>, where};
    if constexpr(detail::contributes_to_neighbours<typename signature::parameters>)
      check_contributions(site, uses.list());
    detail::topology_state& over =
      begin_launch(detail::step_kind::execute, site, detail::hash_of_task<F>, uses.list());
    launch_colors<F>(
      over, uses.list(), where, detail::submits_task<F, P>{flow_, where}, objects...);
  };
  detail::with_objects(
    std::type_identity<typename signature::parameters>(), launch_over, arguments...);
}

template<auto F, class Op, priority P, class... A>
future<typename detail::signature_of<F>::result> scheduler::launch_reduction(
  const std::source_location& where, A&&... arguments) {
  using signature = detail::signature_of<F>;
  static_assert(signature::count == sizeof...(A),
    "rondo::scheduler: as many arguments as the task has parameters");
  detail::refuse_empty_futures(
    [&] { return where; }, detail::name_of_task<F>, "parameter", 1, arguments...);
  flow_.open_for(arguments...);
  const auto launch_over = [&](auto&... objects) {
    return launch_reduction_over<F, Op, P>(where, objects...);
  };
  return detail::with_objects(
    std::type_identity<typename signature::parameters>(), launch_over, arguments...);
}

template<auto F, class Op, priority P, class... O>
future<typename detail::signature_of<F>::result> scheduler::launch_reduction_over(
  const std::source_location& where, O&... objects) {
  using result = typename detail::signature_of<F>::result;
  const auto uses =
    detail::list_arguments<typename detail::signature_of<F>::parameters>(objects...);
  const launch_site site{detail::name_of_task<F>, where};
  if constexpr(detail::contributes_to_neighbours<typename detail::signature_of<F>::parameters>)
    check_contributions(site, uses.list());
  detail::topology_state& over =
    begin_launch(detail::step_kind::reduce, site, detail::hash_of_task<F>, uses.list());
  if constexpr(detail::may_be_replicated<F>)
    if(over.is_replicated()) {
      // There is one value, and every rank has it.
      future<result> all;
      const auto submit = [all_colors = detail::submits_task<F, P>{flow_, where}, &all](
                            const detail::color_task<F>& task, auto&&... parts) {
        all = all_colors(task, std::move(parts)...);
      };
      launch_colors<F>(over, uses.list(), where, submit, objects...);
      return all;
    }
  using reduction = detail::reduction<result, Op>;
  static constexpr char tag = 0;
  reduction* const to = collective_of<reduction>(&tag, over.number(), over.cut());
  if(to == nullptr) // its future is cancelled
    return flow_.submit(named(detail::name_of_task<F>, detail::in_vain<result>, where));
  launch_colors<F>(over, uses.list(), where,
    detail::submits_part_of<F, reduction, P>{flow_, *to, where}, objects...);
  gathering_.launch_gathered(); // for the future
  return to->launch(flow_, detail::name_of_task<F>, where);
}

template<auto F, class... A>
auto scheduler::launch_mpi(const std::source_location& where, A&&... arguments)
  -> result_of_once<F> {
  using signature = detail::signature_of<F>;
  static_assert(signature::count != 0 && detail::may_be_communicator<detail::first_of<F>>,
    "rondo::scheduler::execute_mpi: the task's first parameter is MPI_Comm, or rondo::mpi_task");
  static_assert(signature::count == sizeof...(A) + 1,
    "rondo::scheduler::execute_mpi: as many arguments as the "
    "task has parameters behind the first one");
  using result = std::decay_t<typename signature::result>;
  static_assert(std::is_void_v<result> || std::is_copy_constructible_v<result>,
    "rondo::scheduler::execute_mpi: the task's result goes into a future, so it must be "
    "possible to copy it");
  return launch_mpi_with<F>(std::type_identity<detail::behind_first_of<F>>(),
    launch_site{detail::name_of_task<F>, where}, std::forward<A>(arguments)...);
}

/// `Rest`: the parameters behind the communicator.
template<auto F, class Rest, class... A>
auto scheduler::launch_mpi_with(std::type_identity<Rest> /*rest*/, const launch_site& site,
  A&&... arguments) -> result_of_once<F> {
  using of_one = detail::each_of_one_color<Rest>;
  using lists = detail::parameter_lists<of_one>;
  using result = std::decay_t<typename detail::signature_of<F>::result>;
  refuse_in_task(site);
  detail::refuse_empty_futures([&] { return site.where; }, site.task, "parameter", 2, arguments...);
  flow_.open_for(arguments...);
  const bool waits = !transport_.allows_mpi_beside_messages();
  if(waits)
    check_may_wait_for_mpi(site);
  const auto launch_with_objects = [&](auto&... objects) -> result_of_once<F> {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (check_mpi_argument<std::tuple_element_t<I, Rest>>(site, objects), ...);
    }(std::index_sequence_for<A...>());
    const auto uses = detail::list_arguments<of_one>(objects...);
    launch_before_mpi(site, detail::hash_of_task<F>, uses.list());
    const auto pointers = detail::pointers_to<of_one>(objects...);
    using call = detail::mpi_call<F, std::remove_const_t<decltype(pointers)>>;
    detail::plain_tuple<A&&...> all(std::in_place, std::forward<A>(arguments)...);
    return [&]<std::size_t... K>(std::index_sequence<K...>) -> result_of_once<F> {
      if(waits) {
        wait(site.where);
        const in_mpi here(*this);
        return detail::ready_result<result>([&] {
          return call{nullptr, &transport_, pointers}.run(
            detail::ready_value<typename call::template value<K>>(
              detail::forward_nth<lists::value_at(K)>(all))...);
        });
      }
      detail::mpi_turns& turns = mpi_turns();
      const std::span<const region_access> accesses = turns.accesses(uses.list(), site.where);
      flow_.submit(ends_later(site.task, call{&turns, &transport_, pointers}, site.where),
        rondo::write(turns.as_region(), site.where), accesses,
        detail::forward_nth<lists::value_at(K)>(all)...);
      return flow_.submit(named(site.task, detail::mpi_end<result>(), site.where),
        rondo::write(turns.as_region(), site.where), accesses);
    }(std::make_index_sequence<detail::length_of<typename lists::values>>());
  };
  return detail::with_objects(std::type_identity<of_one>(), launch_with_objects, arguments...);
}

/// A task that takes one view or accessor, and not one for each color, needs a topology with one color.
template<class P, class O>
void scheduler::check_mpi_argument(const launch_site& site, O& object) {
  using one = typename detail::of_one_color<P>::type;
  if constexpr(!detail::is_per_color<P> && detail::is_view<one>)
    check_replicated(site, object);
  if constexpr(!detail::is_per_color<P> && detail::is_accessor<one>)
    check_replicated(site, object.of());
}

template<auto F, class... A>
auto scheduler::launch_once(const std::source_location& where, A&&... arguments)
  -> result_of_once<F> {
  using signature = detail::signature_of<F>;
  static_assert(signature::count == sizeof...(A),
    "rondo::scheduler: as many arguments as the task has parameters");
  constexpr const char* name = detail::name_of_task<F>;
  refuse_in_task({name, where});
  detail::refuse_empty_futures([&] { return where; }, name, "parameter", 1, arguments...);
  flow_.open_for(arguments...); // on all ranks
  note_launch(detail::step_kind::once, {name, where}, detail::hash_of_task<F>);
  if constexpr(std::is_void_v<typename signature::result>) {
    if(rank() == 0)
      flow_.submit(named(name, detail::once<F>{}, where), rondo::write(outside_, where),
        std::forward<A>(arguments)...);
  }
  else {
    using result = std::decay_t<typename signature::result>;
    static_assert(std::is_trivially_copyable_v<result>,
      "rondo::scheduler::execute: the result of a task on rank 0 is sent to all ranks as bytes; "
      "its "
      "type must be trivially copyable, or the task return nothing");
    if(ranks() == 1)
      return flow_.submit(named(name, detail::once<F>{}, where), rondo::write(outside_, where),
        std::forward<A>(arguments)...);
    static constexpr char tag = 0;
    detail::broadcast* const to =
      collective_of<detail::broadcast>(&tag, 0, rank(), ranks(), sizeof(result));
    if(to == nullptr) // it doesn't run, and its future is cancelled
      return flow_.submit(named(name, detail::in_vain<result>, where));
    if(rank() != 0)
      return to->template receive<result>(flow_, name, where);
    future<result> here = flow_.submit(named(name, detail::once_for_all<F, result>{}, where),
      rondo::write(outside_, where), rondo::write(to->value(), where),
      std::forward<A>(arguments)...);
    to->send(flow_, name, where);
    return here;
  }
}

} // namespace rondo
