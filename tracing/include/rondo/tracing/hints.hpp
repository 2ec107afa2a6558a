#pragma once

/// \file
/// Hints of launches: which of those that may run goes first, and on which worker.
///
/// \code
///   #include <rondo/flow.hpp>
///   using namespace rondo;
///
///   void factor(block& a);
///   void solve(const block& a, block& b);
///   void update(const block& b, block& c);
///
///   executor ex;
///   flow flow(ex);
///   std::vector<block> tiles(n);
///   std::deque<region<block>> rt;
///   for(block& t : tiles)
///     rt.emplace_back(flow, t);
///   for(std::size_t k = 0; k + 1 < n; ++k) {
///     flow.submit(hinted({.priority = priority::high}, named("factor", factor)), write(rt[k]));
///     flow.submit(hinted({.priority = priority::high}, solve), read(rt[k]), write(rt[k + 1]));
///     for(std::size_t i = k + 2; i < n; ++i)
///       flow.submit(update, read(rt[k + 1]), write(rt[i]));
///   }
///   flow.submit(hinted({.worker = 1}, report), read(rt[n - 1]));
///   flow.wait();
/// \endcode
///
/// Results never depend on hints: a launch waits for what it would have waited for without them.
///
/// *What they cost.* A launch with hints is handed to the executor by itself, as a task is: some 100 ns more. So they are
/// for the few launches that others wait for. Workers look at them between two launches, or two groups of short ones.
///
/// *Loops.* The passes of a `repeat` that are run from what is kept are not handed over one by one: hints in its body do nothing.
/// In all other loops, in traces and in the bodies of `when` they do what they do elsewhere.

#include <concepts>
#include <type_traits>
#include <utility>

#include <rondo/core/task.hpp>

namespace rondo {

struct launch_hints {
  /// As for tasks: high before all other launches that may run, low when nothing else is left. A launch without hints is
  /// one of normal priority.
  rondo::priority priority = rondo::priority::normal;
  /// The worker whose caches hold the data. It runs the launch unless another one is idle. A number that no worker has says nothing.
  int worker = -1;
};

/// A task's function with hints for its launch: `flow.submit(hinted({.priority = priority::high}, f), write(u))`. The hints come first,
/// and around the name: the function may be one of `named` or of `ends_later`. They are values, so a priority may be one that is known at
/// run time only, and normal says nothing: `hinted({.priority = is_late ? priority::high : priority::normal}, f)`.
template<class F>
struct hinted {
  hinted(launch_hints h, F f) : hints(h), body(std::move(f)) {}
  /// Refused: which hint it is has to be said.
  template<std::same_as<rondo::priority> P>
  hinted(P, F f) : body(std::move(f)) {
    static_assert(!std::same_as<P, rondo::priority>,
      "rondo: hints are given by name: hinted({.priority = priority::high}, f)");
  }
  launch_hints hints;
  F body;
};

// Hints without a function that they could go around: launches with them are refused, in a sentence.
namespace detail::inline tracing {

/// In place of the function.
struct no_function {
  no_function() = default;
  template<class T>
  explicit no_function(T&) {}
};

template<class T>
inline constexpr bool is_hinted = false;
template<class F>
inline constexpr bool is_hinted<hinted<F>> = true;

} // namespace detail::inline tracing

template<>
struct hinted<detail::no_function> {
  hinted(launch_hints h, detail::no_function = {}) : hints(h) {}
  template<class T>
  hinted(launch_hints h, T&) : hints(h) {}
  launch_hints hints;
  detail::no_function body;
};
hinted(launch_hints) -> hinted<detail::no_function>;
/// A mesh, or another thing that can't be kept.
template<class T>
  requires(!std::constructible_from<std::decay_t<T>, T&>)
hinted(launch_hints, T&) -> hinted<detail::no_function>;

} // namespace rondo
