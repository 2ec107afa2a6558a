#pragma once

/// \file
/// The scheduler: runs a program of tasks over fields on all ranks, as if they were run one after
/// another.
///
/// \code
///   #include <rondo/rondo.hpp>
///   using namespace rondo;
///   using grid = structured<2>;
///
///   void red(grid::view m, field<double>::accessor<rw, ro> u, field<double>::accessor<ro> f);
///   void black(grid::view m, field<double>::accessor<rw, ro> u, field<double>::accessor<ro> f);
///   double residual(grid::view m, field<double>::accessor<ro, ro> u, field<double>::accessor<ro> f);
///   void report(double r2) { std::printf("%g\n", std::sqrt(r2)); }
///
///   int main(int argc, char** argv) {
///     return rondo::run(argc, argv, [](scheduler& s) {
///       grid m{s, {.extents = {2048, 2048}}};
///       field<double> u{m, "u"}, f{m, "f"};
///       s.execute<init>(m, u, f);
///       s.iterate({.max = 1000}, [&] {
///         for(int i = 0; i < 10; ++i) {
///           s.execute<red>(m, u, f);
///           s.execute<black>(m, u, f);
///         }
///         future<double> r2 = s.reduce<residual, fold::sum>(m, u, f);
///         s.execute<report>(r2);                               // on rank 0
///         return r2.then([](double r) { return r < 1e-12; });  // stop?
///       });
///     });
///   }
/// \endcode
///
/// *Every rank runs the same program*, and launches the same tasks with the same arguments in the
/// same order. Each runs those of its own colors. Whatever the program decides on must be the same
/// on all ranks: arguments, results of reductions, the number of ranks, but not the time.
///
/// *What runs when* follows from what the tasks do with fields, which their parameters say. Ghosts
/// that a task reads are fetched if they are stale. Nothing waits that does not have to.
///
/// *Futures.* A task that takes a value may be given its future: it starts when that is there.
/// Results of reductions are the same on all ranks, bit for bit.

#include <cstdint>
#include <exception>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/halo.hpp>
#include <rondo/distributed/history.hpp>
#include <rondo/distributed/lane.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/distributed/transport.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/trace.hpp>

namespace rondo {

namespace detail {
class divergence_check;
}

class scheduler {
public:
  /// Of this rank. Returns when all ranks have made theirs. See `run` for programs.
  scheduler(executor& ex, transport& t, flow_options options = {});
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// Launches a task for each color of a topology.
  template<auto F, class... A>
    requires detail::runs_over_colors<F>
  void execute(
    detail::located_reference<typename detail::argument_of<detail::first_of<F>>::type> first,
    A&&... rest) {
    launch<F>(first.where, first.what, std::forward<A>(rest)...);
  }

  /// Launches a task without any topology: it runs once, on rank 0. Those tasks run in the order of
  /// the program, since they print, or write files.
  template<auto F, class... A>
    requires(detail::runs_once<F> && detail::signature_of<F>::count != 0)
  void execute(detail::located_value<detail::first_of<F>> first, A&&... rest) {
    launch_once<F>(first.where, std::move(first.what), std::forward<A>(rest)...);
  }
  template<auto F, class... A>
    requires(detail::runs_once<F> && detail::signature_of<F>::count != 0 &&
             !detail::is_future<detail::first_of<F>>)
  void execute(detail::located_value<typename detail::future_for<detail::first_of<F>>::type> first,
    A&&... rest) {
    launch_once<F>(first.where, std::move(first.what), std::forward<A>(rest)...);
  }
  template<auto F>
    requires(detail::signature_of<F>::count == 0)
  void execute(std::source_location where = std::source_location::current()) {
    launch_once<F>(where);
  }

  /// Launches a task for each color and folds what they return, always in the same order.
  template<auto F, auto Op, class... A>
    requires detail::runs_over_colors<F>
  future<typename detail::signature_of<F>::result> reduce(
    detail::located_reference<typename detail::argument_of<detail::first_of<F>>::type> first,
    A&&... rest) {
    return launch_reduction<F, std::remove_cvref_t<decltype(Op)>>(
      first.where, first.what, std::forward<A>(rest)...);
  }

  /// n passes of the loop, of which only the first one is launched: see flow::repeat.
  template<class Body>
  void repeat(
    std::uint64_t n, Body&& body, std::source_location where = std::source_location::current()) {
    note(detail::step_kind::repeat, where, detail::launch_subject::of_number(n));
    if(n == 0)
      return;
    // What a pass leaves stale the next one has to fetch, so the first one has to as well.
    forget_ghosts();
    const in_body here(*this);
    try {
      flow_.repeat(n, std::forward<Body>(body));
    }
    catch(...) {
      forget_ghosts(); // nothing of it runs
      throw;
    }
    note(detail::step_kind::end_of_repeat, where);
  }

  /// A loop that ends when the future<bool> that `body` returns says so, on all ranks in the same
  /// pass, without anybody waiting for it: see flow::iterate.
  template<class Body>
  future<std::uint64_t> iterate(iterate_options options, Body&& body,
    std::source_location where = std::source_location::current()) {
    const loop_ahead ahead(*this, options, where);
    const in_body here(*this);
    return ahead.note_passes(flow_.iterate(counting_passes(body, where), options));
  }
  template<class Body>
  future<std::uint64_t> iterate(trace& t, iterate_options options, Body&& body,
    std::source_location where = std::source_location::current()) {
    const loop_ahead ahead(*this, options, where);
    const in_body here(*this);
    return ahead.note_passes(flow_.iterate(t, counting_passes(body, where), options));
  }

  /// Returns when everything launched has ended on this rank, and helps until then. Throws what the
  /// first task that failed has thrown.
  void wait();

  /// Nothing is launched after this: said to other ranks, so that they don't wait in vain. At the
  /// latest by the destructor.
  void end_program();

  [[nodiscard]] unsigned rank() const { return transport_.rank(); }
  [[nodiscard]] unsigned ranks() const { return transport_.ranks(); }
  /// That every rank has, at least: the same on all ranks.
  [[nodiscard]] unsigned workers() const { return workers_; }
  [[nodiscard]] executor& home() const { return executor_; }

  // ---- for topologies and fields -------------------------------------------------------------

  [[nodiscard]] flow& launches() { return flow_; }
  [[nodiscard]] detail::network& messages() { return network_; }
  /// The first of n numbers that no other channel has. Called in the same order on all ranks.
  std::uint32_t new_channels(std::uint32_t n) { return std::exchange(channels_, channels_ + n); }
  /// Throws std::logic_error in the body of a loop, where `what` can't be made: not all ranks call
  /// that equally often.
  void refuse_in_body(const char* what) const;
  /// Something that launches use is about to be destroyed: they end first. A failure is kept for
  /// the next `wait`.
  void let_go() noexcept;
  void add(detail::field_base& f) { fields_.push_back(&f); }
  void remove(detail::field_base& f) { std::erase(fields_, &f); }
  /// Of a topology or a field: counted as they are made, the same on all ranks.
  std::uint32_t new_number() { return ++made_; }
  /// For the check that all ranks launch the same: see history.hpp.
  void note(detail::step_kind kind, const std::source_location& where,
    const detail::launch_subject& on = {}) {
    if(history_ != nullptr)
      history_->note(kind, where, on);
  }
  /// The name is for messages.
  void note_made(detail::step_kind kind, const std::source_location& where, std::uint32_t number,
    std::uint64_t properties, std::string name);

private:
  template<auto F, class... A>
  void launch(const std::source_location& where, A&&... arguments);
  template<auto F, class Op, class... A>
  future<typename detail::signature_of<F>::result> launch_reduction(
    const std::source_location& where, A&&... arguments);
  template<auto F, class... A>
  void launch_once(const std::source_location& where, A&&... arguments);

  template<auto F, class Submit, class... A>
  void launch_colors(const std::source_location& where, Submit&& submit, A&&... arguments);

  [[noreturn]] static void refuse_field(
    const char* task, const detail::field_base& f, const std::source_location& where);
  void fetch(detail::field_base& f, const std::source_location& where);
  /// For what ranks have to make in the same order. False: in a pass that was launched in vain;
  /// others may never launch it. Waits for the answer.
  bool pass_runs();

  /// All ghosts are fetched before they are read.
  void forget_ghosts();
  /// The body of a loop is being called.
  struct in_body {
    scheduler& s;
    explicit in_body(scheduler& of) : s(of) { ++s.bodies_; }
    ~in_body() { --s.bodies_; }
    in_body(const in_body&) = delete;
    in_body& operator=(const in_body&) = delete;
  };

  template<auto F>
  void note_launch(
    detail::step_kind kind, const std::source_location& where, const detail::launch_subject& on) {
    static constexpr std::uint64_t hash = detail::hash_of_letters(detail::name_of_task<F>);
    if(history_ != nullptr)
      history_->note(kind, detail::name_of_task<F>, hash, where, on);
  }

  /// Ranks launch ahead more or less far, and nobody knows yet which pass of a loop will be the last.
  /// So what is known after it must not depend on which passes were launched: all fields are stale.
  struct loop_ahead {
    scheduler& s;
    const std::source_location& where;
    loop_ahead(scheduler& of, iterate_options& options, const std::source_location& where_it_is);
    ~loop_ahead();
    future<std::uint64_t> note_passes(future<std::uint64_t> passes) const;
  };
  template<class Body>
  auto counting_passes(Body& body, const std::source_location& where) {
    return [this, &body, &where](std::uint64_t pass) {
      pass_ = pass;
      note(detail::step_kind::pass, where, detail::launch_subject::of_number(pass));
      if constexpr(std::is_invocable_v<Body&, std::uint64_t>)
        return body(pass);
      else
        return body();
    };
  }

  executor& executor_;
  transport& transport_;
  const unsigned workers_;
  flow flow_;
  detail::outside_world world_;
  region<detail::outside_world> outside_{flow_, world_, "tasks without a topology"};
  std::uint32_t channels_ = 1;
  std::uint64_t pass_ = 0; ///< Being launched, of a loop.
  unsigned bodies_ = 0;
  std::uint32_t made_ = 0;
  std::vector<detail::field_base*> fields_;
  std::exception_ptr failure_;
  std::unique_ptr<detail::launch_history> history_; ///< Null: there is one rank.
  std::unique_ptr<detail::divergence_check> check_;
  const int exceptions_; ///< Under way when this was made.
  bool has_ended_ = false;
  detail::network network_; ///< Goes first: it looks at the flow.
};

// ------------------------------------------------------------------------------------------

namespace detail {

/// The accesses of one argument, for one color.
template<class P, class A>
auto accesses_for([[maybe_unused]] A& argument, [[maybe_unused]] std::size_t color,
  [[maybe_unused]] const std::source_location& where) {
  if constexpr(!is_accessor<P>)
    return std::tuple<>();
  else {
    const auto one = [&where]<privilege Which>(
                       std::integral_constant<privilege, Which>, region<color_block>& r) {
      if constexpr(Which == na)
        return std::tuple<>();
      else if constexpr(writes(Which))
        return std::tuple(rondo::write(r, where));
      else
        return std::tuple(rondo::read(r, where));
    };
    return std::tuple_cat(one(std::integral_constant<privilege, P::owned>(), argument.owned(color)),
      one(std::integral_constant<privilege, P::ghosts>(), argument.ghosts(color)));
  }
}

/// Copies of what is no access: each color has its own.
template<class P, class A>
auto value_for([[maybe_unused]] const A& argument) {
  if constexpr(is_value<P>)
    return std::tuple<std::decay_t<A>>(argument);
  else
    return std::tuple<>();
}

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

} // namespace detail

template<auto F, class Submit, class... A>
void scheduler::launch_colors(
  const std::source_location& where, Submit&& submit, A&&... arguments) {
  using signature = detail::signature_of<F>;
  using parameters = typename signature::parameters;
  static_assert(signature::count == sizeof...(A),
    "rondo::scheduler: as many arguments as the task has parameters");
  const auto each = [&]<std::size_t... I>(std::index_sequence<I...>) {
    (detail::check_argument<std::tuple_element_t<I, parameters>, A>(), ...);
    auto all = std::forward_as_tuple(arguments...);
    // Which topology it is: that of the view, or else of the first field.
    topology* over = nullptr;
    detail::launch_subject on;
    const auto look = [&over, &on]<class P>(std::type_identity<P>, auto& a) {
      if constexpr(detail::is_view<P>) {
        over = &a;
        on.add(a.number());
      }
      else if constexpr(detail::is_accessor<P>) {
        over = over == nullptr ? &a.of() : over;
        on.add(a.number());
      }
    };
    (look(std::type_identity<std::tuple_element_t<I, parameters>>(), std::get<I>(all)), ...);
    note_launch<F>(std::is_void_v<typename signature::result> ? detail::step_kind::execute
                                                              : detail::step_kind::reduce,
      where, on);
    const auto prepare = [&]<class P>(std::type_identity<P>, auto& a) {
      if constexpr(detail::is_accessor<P>) {
        if(&a.of() != over)
          refuse_field(detail::name_of_task<F>, a, where);
        if constexpr(reads(P::ghosts))
          fetch(a, where);
      }
    };
    (prepare(std::type_identity<std::tuple_element_t<I, parameters>>(), std::get<I>(all)), ...);
    for(const std::size_t c : over->order())
      submit(*over, c,
        std::tuple_cat(
          detail::accesses_for<std::tuple_element_t<I, parameters>>(std::get<I>(all), c, where)...),
        std::tuple_cat(
          detail::value_for<std::tuple_element_t<I, parameters>>(std::get<I>(all))...));
    const auto finish = [&]<class P>(std::type_identity<P>, auto& a) {
      if constexpr(detail::is_accessor<P>)
        if constexpr(writes(P::owned) || writes(P::ghosts))
          a.is_stale = true;
    };
    (finish(std::type_identity<std::tuple_element_t<I, parameters>>(), std::get<I>(all)), ...);
  };
  each(std::index_sequence_for<A...>());
}

template<auto F, class... A>
void scheduler::launch(const std::source_location& where, A&&... arguments) {
  using signature = detail::signature_of<F>;
  using lists = detail::parameter_lists<typename signature::parameters>;
  using body = detail::color_task<F, typename lists::blocks, typename lists::values>;
  static_assert(std::is_void_v<typename signature::result>,
    "rondo::scheduler::execute: what this task returns for each color would be lost; use reduce");
  launch_colors<F>(
    where,
    [&](topology& over, std::size_t color, auto&& accesses, auto&& values) {
      using mesh = typename body::mesh;
      std::apply(
        [&](auto&&... all) {
          flow_.submit(
            named(detail::name_of_task<F>, body{static_cast<const mesh*>(&over), color}, where),
            std::forward<decltype(all)>(all)...);
        },
        std::tuple_cat(std::move(accesses), std::move(values)));
    },
    std::forward<A>(arguments)...);
}

template<auto F, class Op, class... A>
future<typename detail::signature_of<F>::result> scheduler::launch_reduction(
  const std::source_location& where, A&&... arguments) {
  using signature = detail::signature_of<F>;
  using result = typename signature::result;
  using lists = detail::parameter_lists<typename signature::parameters>;
  using body = detail::color_reduction<F, typename lists::blocks, typename lists::values>;
  using lane = detail::lane<result, Op>;
  static constexpr char tag = 0;
  lane* to = nullptr;
  bool is_in_vain = false;
  launch_colors<F>(
    where,
    [&](topology& over, std::size_t color, auto&& accesses, auto&& values) {
      using mesh = typename decltype(body::task)::mesh;
      if(is_in_vain)
        return;
      if(to == nullptr) {
        is_in_vain = !over.has_lane(&tag) && !pass_runs();
        if(is_in_vain)
          return;
        to = &over.template lane_of<lane>(&tag);
      }
      std::apply(
        [&](auto&&... all) {
          flow_.submit(
            named(detail::name_of_task<F>, body{{static_cast<const mesh*>(&over), color}}, where),
            write(to->of(color), where), std::forward<decltype(all)>(all)...);
        },
        std::tuple_cat(std::move(accesses), std::move(values)));
    },
    std::forward<A>(arguments)...);
  if(is_in_vain) // it doesn't run, and its future is cancelled
    return flow_.submit(named(
      detail::name_of_task<F>, [] { return result(); }, where));
  return to->launch(flow_, detail::name_of_task<F>, where);
}

template<auto F, class... A>
void scheduler::launch_once(const std::source_location& where, A&&... arguments) {
  using signature = detail::signature_of<F>;
  static_assert(signature::count == sizeof...(A),
    "rondo::scheduler: as many arguments as the task has parameters");
  static_assert(std::is_void_v<typename signature::result>,
    "rondo::scheduler::execute: a task without a topology runs on rank 0 only, so it can't return "
    "a "
    "value; use future::then for what all ranks need");
  note_launch<F>(detail::step_kind::single, where, {});
  if(rank() == 0)
    flow_.submit(named(detail::name_of_task<F>, detail::once<F>{}, where), write(outside_, where),
      std::forward<A>(arguments)...);
}

} // namespace rondo
