#pragma once

/// \file
/// Calls of a scheduler that are mistakes, each refused in a sentence by the compiler. For scheduler.hpp, where the right ones are; what is
/// wrong with a task and its arguments is in mistakes.hpp.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <rondo/distributed/file_options.hpp>
#include <rondo/distributed/mistakes.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/trace.hpp>

namespace rondo::detail::inline distributed {

/// Options with one that programs look for in vain. It has to be there, so that other options are no such.
struct said_tolerance {
  template<class T>
    requires std::is_arithmetic_v<T>
  constexpr said_tolerance(T) {}
};
struct options_with_tolerance {
  said_tolerance tol;
  std::uint64_t max = 0;
  std::uint64_t lag = 0;
};

class refused_calls {
protected:
  // ---- execute ---------------------------------------------------------------------------

  template<auto F, priority P, class... A>
    requires(!runs_over_colors<F>)
  void execute(A&&...) {
    static_assert(never<A...>,
      "rondo: a priority is for tasks that run once for each color; those that "
      "run once, on rank 0, run in the order of the program");
  }
  template<priority P, auto F, class... A>
  void execute(A&&...) {
    static_assert(never<A...>, "rondo: the task comes first, and then its priority: "
                               "s.execute<task, priority::high>(m, u)");
  }
  template<auto F, priority P, class... A>
    requires(runs_over_colors<F> && is_mistaken<F, A...>)
  void execute(A&&...) {
    static_assert(sizeof(mistake<F, A...>) != 0);
  }
  template<auto F, class... A>
    requires is_mistaken<F, A...>
  void execute(A&&...) {
    static_assert(sizeof(mistake<F, A...>) != 0);
  }
  template<class F, class... A>
  void execute(F&&, A&&...) {
    static_assert(never<F>, "rondo: the task is not an argument of execute, but of its "
                            "template: s.execute<task>(m, u). That goes for lambdas "
                            "that capture nothing, too");
  }

  // ---- reduce ----------------------------------------------------------------------------

  template<auto F, auto Op, priority... P, class... A>
    requires(is_mistaken<F, A...> && !std::is_void_v<typename signature_of<F>::result>)
  future<typename signature_of<F>::result> reduce(A&&...) {
    static_assert(sizeof(mistake<F, A...>) != 0);
    return {};
  }
  template<auto F, auto Op, priority... P, class... A>
    requires(!is_mistaken<F, A...> && !is_priority<Op> && cannot_fold<F, Op>)
  future<typename signature_of<F>::result> reduce(A&&...) {
    static_assert(never<A...>, "rondo: this fold can't fold what the task returns: "
                               "fold::sum needs +, fold::min and fold::max "
                               "need <; or write one of your own: fold.hpp");
    return {};
  }
  template<auto F, auto Op, priority... P, class... A>
    requires std::is_void_v<typename signature_of<F>::result>
  void reduce(A&&...) {
    static_assert(never<A...>, "rondo: this task returns nothing that could be reduced: "
                               "launch it with execute, or let it return its color's part");
  }
  template<auto Op, auto F, priority... P, class... A>
    requires(!is_task<Op> && !is_priority<Op> && is_task<F>)
  future<typename signature_of<F>::result> reduce(A&&...) {
    static_assert(never<A...>, "rondo: the task comes first, and then what folds its "
                               "results: s.reduce<task, fold::sum>(m, u)");
    return {};
  }
  template<auto First, auto... Rest, class... A>
    requires(is_priority<First> || begin_with_priority<Rest...>)
  future<double> reduce(A&&...) {
    static_assert(never<A...>, "rondo: a priority comes third, behind the task and what "
                               "folds its results: "
                               "s.reduce<task, fold::sum, priority::high>(m, u)");
    return {};
  }
  template<auto F, class... A>
  void reduce(A&&...) {
    static_assert(never<A...>, "rondo: reduce has to know how to fold what the colors "
                               "return: s.reduce<task, fold::sum>(m, u)");
  }

  // ---- loops -----------------------------------------------------------------------------

  template<class Body>
    requires(!repeat_body<Body>)
  void repeat(std::uint64_t, Body&&) {
    static_assert(never<Body>,
      "rondo: the body of repeat takes nothing, or a pass_number, which stands for the number: it "
      "is called once, for all passes. "
      "A task that is given it takes a std::size_t. A body that needs the number itself is one of "
      "iterate, which gives it a std::uint64_t");
  }
  template<class Body>
    requires(!std::is_convertible_v<Body, std::uint64_t>)
  void repeat(Body&&) {
    static_assert(never<Body>, "rondo: repeat takes the number of passes, and then the body: "
                               "s.repeat(10, body). A loop that "
                               "ends when its body says so is one of iterate");
  }
  template<class Body>
  void repeat(iterate_options, Body&&) {
    static_assert(never<Body>, "rondo: repeat takes the number of passes, and iterate a most: "
                               "s.repeat(10, body), s.iterate({.max = 10}, body)");
  }
  template<class Body>
    requires(!std::is_convertible_v<Body, std::uint64_t>)
  void repeat(Body&&, std::uint64_t) {
    static_assert(
      never<Body>, "rondo: the number of passes comes before the body: s.repeat(10, body)");
  }
  template<class Body>
    requires(!loop_body<Body>)
  future<std::uint64_t> iterate(iterate_options, Body&&) {
    static_assert(never<Body>,
      "rondo: the body of iterate takes nothing, or the number of the pass, a std::uint64_t, and "
      "returns whether "
      "the loop ends with that pass: a future<bool>, such as s.reduce<...>(...).then([](double r) "
      "{ return r < 1e-3; }), a bool, or "
      "leave_if(...). pass_number is for repeat");
    return {};
  }
  template<class Body>
    requires(!loop_body<Body>)
  future<std::uint64_t> iterate(trace&, iterate_options, Body&& body) {
    return iterate(iterate_options(), body);
  }
  template<class Body>
  future<std::uint64_t> iterate(Body&&, iterate_options = {}) {
    static_assert(never<Body>,
      "rondo: the options of the scheduler's iterate come before the body, {} for none: "
      "s.iterate({.max = 10}, body), s.iterate(t, {.max = 10}, body)");
    return {};
  }
  template<class Body>
  future<std::uint64_t> iterate(trace&, Body&& body, iterate_options = {}) {
    return iterate(body);
  }
  template<class Body>
  future<std::uint64_t> iterate(iterate_options, trace&, Body&& body) {
    return iterate(body);
  }
  template<std::integral N, class Body>
  future<std::uint64_t> iterate(N, Body&&) {
    static_assert(never<Body>,
      "rondo: the most passes are one of the options: s.iterate({.max = 10}, body); "
      "s.repeat(10, body) has as many");
    return {};
  }

  template<class Body>
  future<std::uint64_t> iterate(const trace::guard& g, iterate_options o, Body&& body) {
    return iterate(std::move(o), g, body);
  }
  template<class Body>
  future<std::uint64_t> iterate(iterate_options, const trace::guard&, Body&&) {
    static_assert(never<Body>, "rondo: iterate takes the trace itself, and makes a guard of it for "
                               "each pass: s.iterate(t, {.max = 10}, body)");
    return {};
  }
  template<class Body>
  future<std::uint64_t> iterate(options_with_tolerance, Body&&) {
    static_assert(never<Body>,
      "rondo: iterate has no option .tol: when the loop ends the body says, by what it returns: "
      "s.reduce<...>(...).then([](double r) { return r < 1e-3; }). Its options are .max and .lag: "
      "s.iterate({.max = 10}, body)");
    return {};
  }

  // ---- conditions ------------------------------------------------------------------------

  template<class T, class Body>
    requires(!std::is_same_v<T, bool>)
  void when(const future<T>&, Body&&) {
    static_assert(never<Body>, "rondo: the condition of when is a future<bool>: "
                               "s.when(r.then([](double x) { return x > 1e3; }), body)");
  }
  template<std::same_as<bool> Known, class Body>
  void when(Known, Body&&) {
    static_assert(never<Body>, "rondo: the condition of when is a future<bool>: "
                               "s.when(r.then([](double x) { return x > 1e3; }), body). A value "
                               "that is there, the same on all ranks, is one for if");
  }

  // ---- files -----------------------------------------------------------------------------

  template<class Path, class M, class... A>
    requires is_without_files<M>
  file_written write(Path&&, M&, A&&...) {
    static_assert(never<M>, "rondo: files have fields of meshes; for those of "
                            "another topology write your own, by a task that is given the "
                            "color, or by execute_mpi");
    return {};
  }
  template<class Path, class M, class... A>
    requires is_without_files<M>
  file_read read(Path&&, M&, A&&...) {
    static_assert(never<M>, "rondo: files have fields of meshes; for those of "
                            "another topology read your own, by a task that is given the "
                            "color, or by execute_mpi");
    return {};
  }
  template<class Path, class M, class... A>
    requires has_other_than_fields<M, std::remove_cvref_t<A>...>
  file_written write(Path&&, M&, A&&...) {
    static_assert(never<M>, "rondo: files have fields and particles; a single value, such "
                            "as a time, is kept in a field over topo::global");
    return {};
  }
  template<class Path, class M, class... A>
    requires has_other_than_fields<M, std::remove_reference_t<A>...>
  file_read read(Path&&, M&, A&&...) {
    static_assert(never<M>, "rondo: files are read into fields and particles that may be "
                            "changed; a single value is kept in a field over topo::global");
    return {};
  }
};

} // namespace rondo::detail::inline distributed
