#pragma once

/// \file
/// How a task that calls MPI is launched: two launches with the same accesses. The first one hands the task to the thread that
/// calls MPI, and ends when it has run there; the second one gives its result, or fails as it did.
/// docs/protocols/mpi_tasks.md

#include <cstddef>
#include <exception>
#include <memory>
#include <source_location>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/core/plain_tuple.hpp>
#include <rondo/distributed/call_then.hpp>
#include <rondo/distributed/launch_arguments.hpp>
#include <rondo/distributed/mpi_task.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/pass_number.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo::detail::inline distributed {

class message_poller;
class waiting_thread;
struct mpi_turn;

/// A task with all its arguments.
class mpi_work {
public:
  mpi_work() = default;
  virtual ~mpi_work() = default;
  mpi_work(const mpi_work&) = delete;
  mpi_work& operator=(const mpi_work&) = delete;
  virtual void run(mpi_turn& turn) = 0;
};

/// What a task has returned.
class mpi_result {
public:
  mpi_result() = default;
  virtual ~mpi_result() = default;
  mpi_result(const mpi_result&) = delete;
  mpi_result& operator=(const mpi_result&) = delete;
};
template<class R>
class mpi_result_of final : public mpi_result {
public:
  explicit mpi_result_of(R&& r) : value(std::move(r)) {}
  R value;
};

/// Of the task that runs, or has run last.
struct mpi_turn {
  std::unique_ptr<mpi_work> work;     ///< Until it has run.
  std::unique_ptr<mpi_result> result; ///< Null if the task returns nothing.
  std::exception_ptr failure;
};

/// The tasks of a scheduler that call MPI, one after the other in the order of the program.
class mpi_turns {
public:
  explicit mpi_turns(scheduler& s);
  ~mpi_turns();
  mpi_turns(const mpi_turns&) = delete;
  mpi_turns& operator=(const mpi_turns&) = delete;

  /// Launches that write it have their turn.
  [[nodiscard]] region<mpi_turn>& as_region() { return region_; }
  /// To all colors of the fields; good until the next call.
  [[nodiscard]] std::span<const region_access> accesses(
    std::span<const launch_argument> uses, const std::source_location& where);
  /// Called when its turn has come, which ends with `done`.
  void begin(std::unique_ptr<mpi_work> work, rondo::completion done);

private:
  message_poller& messages_;
  mpi_turn turn_;
  region<mpi_turn> region_;
  std::vector<region_access> accesses_;
  std::unique_ptr<waiting_thread> thread_; ///< Goes first.
};

// ---- the arguments -----------------------------------------------------------------------------

/// The knowledge of an argument when the task is launched: where the topology or the field is.
struct no_object {};
template<class P, class O>
auto pointer_to([[maybe_unused]] O& object) {
  if constexpr(is_value<P>)
    return no_object();
  else
    return &object;
}
template<class Parameters, class... O>
auto pointers_to(O&... objects) {
  return [&]<class... P>(std::type_identity<std::tuple<P...>>) {
    return plain_tuple<decltype(pointer_to<P>(objects))...>(
      std::in_place, pointer_to<P>(objects)...);
  }(std::type_identity<Parameters>());
}

/// The argument for a parameter when the task runs: one for each color of this rank, or the only one.
template<class P, class O>
P mpi_argument(O& object) {
  using one = typename of_one_color<P>::type;
  static_assert(!contributes<one>,
    "rondo::scheduler::execute_mpi: a task's contributions to neighbours are folded only where "
    "the task is launched with execute or reduce");
  const auto at = [&object](std::size_t color) {
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
    all.reserve(colors);
    for(std::size_t c = 0; c != colors; ++c)
      all.push_back(at(c));
    return P(std::move(all));
  }
  else
    return at(0);
}

/// After the task: what kinds of fields do then, for each color that it had.
template<class P, class O>
void end_mpi_argument([[maybe_unused]] const O& object) {
  using one = typename of_one_color<P>::type;
  if constexpr(has_end<one>) {
    const std::size_t colors = is_per_color<P> ? object->of().local_colors() : 1;
    for(std::size_t c = 0; c != colors; ++c)
      accessor_kind<one>::end(object->block(c));
  }
}

template<class Parameters>
struct without_first;
template<class First, class... P>
struct without_first<std::tuple<First, P...>> {
  using type = std::tuple<P...>;
};
template<auto F>
using behind_first_of = typename without_first<typename signature_of<F>::parameters>::type;

template<class Parameters>
struct for_one_color;
template<class... P>
struct for_one_color<std::tuple<P...>> {
  using type = std::tuple<typename of_one_color<P>::type...>;
};
template<class Parameters>
using each_of_one_color = typename for_one_color<Parameters>::type;

// ---- the launches ------------------------------------------------------------------------------

template<auto F, class Objects, class Parameters = behind_first_of<F>,
  class Values = typename parameter_lists<each_of_one_color<Parameters>>::values>
struct mpi_call;

/// The first one.
template<auto F, class Objects, class... P, class... V>
struct mpi_call<F, Objects, std::tuple<P...>, types<V...>> {
  mpi_turns* turns;
  transport* via;
  Objects objects; ///< See pointers_to.

  template<std::size_t K>
  using value = std::tuple_element_t<K, std::tuple<V...>>;

  void operator()(rondo::completion done, mpi_turn&, V... values) const {
    turns->begin(
      std::unique_ptr<mpi_work>(new work(*this, kept(std::in_place, std::move(values)...))), done);
  }

  /// The task itself.
  decltype(auto) run(V... values) const {
    return run_with(kept(std::in_place, std::move(values)...));
  }

private:
  using kept = plain_tuple<V...>;
  class work final : public mpi_work {
  public:
    work(const mpi_call& c, kept of) : call_(c), values_(std::move(of)) {}
    void run(mpi_turn& turn) override {
      using result = std::decay_t<typename signature_of<F>::result>;
      if(is_only_planned) {
        if constexpr(!std::is_void_v<result>)
          turn.result = std::make_unique<mpi_result_of<result>>(planned_result<result>());
        return;
      }
      if constexpr(std::is_void_v<result>)
        call_.run_with(std::move(values_));
      else
        turn.result =
          std::make_unique<mpi_result_of<result>>(result(call_.run_with(std::move(values_))));
    }

  private:
    const mpi_call call_;
    kept values_;
  };

  decltype(auto) run_with([[maybe_unused]] kept&& values) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
      using lists = parameter_lists<each_of_one_color<std::tuple<P...>>>;
      if constexpr(lists::some_ends)
        return call_then([&]() -> decltype(auto) { return F(mpi_task(*via), make<I>(values)...); },
          [&] { (end_mpi_argument<P>(nth<I>(objects)), ...); });
      else
        return F(mpi_task(*via), make<I>(values)...);
    }(std::index_sequence_for<P...>());
  }
  template<std::size_t I>
  decltype(auto) make(kept& values) const {
    using parameter = std::tuple_element_t<I, std::tuple<P...>>;
    using one = typename of_one_color<parameter>::type;
    using lists = parameter_lists<each_of_one_color<std::tuple<P...>>>;
    if constexpr(is_value<one>)
      return std::move(nth<lists::template value<I>>(values));
    else
      return mpi_argument<parameter>(*nth<I>(objects));
  }
};

/// The second one.
template<class R>
struct mpi_end {
  R operator()(mpi_turn& turn) const {
    if(turn.failure != nullptr)
      std::rethrow_exception(std::exchange(turn.failure, nullptr));
    if constexpr(!std::is_void_v<R>)
      return std::move(static_cast<mpi_result_of<R>&>(*std::exchange(turn.result, {})).value);
  }
};

// ---- without them, where nothing else runs meanwhile ---------------------------------------------

/// A value, or what a future has.
template<class P, class A>
P ready_value(A&& argument) {
  if constexpr(is_future<std::remove_cvref_t<A>> && !is_future<P>)
    return static_cast<P>(argument.get());
  else if constexpr(std::is_same_v<std::remove_cvref_t<A>, pass_number>)
    return static_cast<P>(argument.of->object()); // of a loop that is over
  else
    return static_cast<P>(std::forward<A>(argument));
}

template<class R, class Run>
auto ready_result(const Run& run) {
  if constexpr(std::is_void_v<R>)
    run();
  else
    return make_ready<R>(run());
}

} // namespace rondo::detail::inline distributed
