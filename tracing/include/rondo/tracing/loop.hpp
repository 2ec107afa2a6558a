#pragma once

/// \file
/// Loops that end when a task says so, while the code that launches runs ahead: `flow::iterate`; and what runs if a
/// task says so: `flow::when`. They nest: docs/protocols/loops.md.

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/core/job.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

class executor;

struct iterate_options {
  /// Passes at most.
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  /// How many passes begin before the answer of a pass must be known. More overlap, and as many
  /// more passes after the one that says stop.
  std::uint64_t lag = 0;
  /// If there is one: set to the number of passes that will run at least, as answers come.
  std::shared_ptr<std::atomic<std::uint64_t>> certain = nullptr;
  /// For messages.
  std::source_location where = std::source_location::current();
};

/// What a pass returns that has something for the code behind the loop: see `leave_if`.
template<class... T>
struct leaving {
  future<bool> stop;
  std::tuple<future<T>...> values;
};

/// The loop ends with this pass if `stop` says so. What leaves it are the values of the last pass that has run; a variable
/// that the body assigns to has the future of the last pass that was launched, which may have been in vain.
///
/// \code
///   const auto [passes, r2] = flow.iterate([&] {
///     flow.submit(smooth, read(u), write(v));
///     future<double> change = flow.submit(difference, write(u), read(v));
///     return leave_if(change.then(is_small), change);
///   });
/// \endcode
template<class... T>
leaving<T...> leave_if(future<bool> stop, future<T>... values) {
  return {std::move(stop), {std::move(values)...}};
}

namespace detail::inline tracing {

/// What `iterate` returns: the number of passes, and what leaves the loop.
template<class Pass>
struct loop_result {
  using type = future<std::uint64_t>;
  using values = std::tuple<>;
  static leaving<> of(future<bool> stop) { return {std::move(stop), {}}; }
};
template<class... T>
struct loop_result<leaving<T...>> {
  using type = std::tuple<future<std::uint64_t>, future<T>...>;
  using values = std::tuple<std::optional<T>...>;
  static leaving<T...> of(leaving<T...> all) { return all; }
};

/// The body is called with the number of the pass, if it takes that.
template<class Body>
decltype(auto) call_pass(Body& body, std::uint64_t pass) {
  if constexpr(std::is_invocable_v<Body&, std::uint64_t>)
    return body(pass);
  else
    return body();
}
template<class Body>
using loop_result_of =
  loop_result<std::remove_cvref_t<decltype(call_pass(std::declval<Body&>(), std::uint64_t{}))>>;

struct iterated_loop;

/// What the launches of one pass wait for, and ask before they run.
struct loop_pass {
  iterated_loop* of = nullptr;
  std::uint64_t number = 0;
  const loop_pass* outer = nullptr; ///< The pass of the loop around, or null.
  /// Answers that must be known, and with them those of all loops around.
  progress* answers = nullptr;
  std::uint64_t turn = 0;
  bool runs_always = false; ///< What tells whether others run does itself, in passes in vain, too.

  /// Once the answers are known: neither this pass nor one around it is in vain.
  [[nodiscard]] bool runs() const;
  /// Where that is not so: why. Of the pass, or the one around it, that is in vain.
  [[nodiscard]] std::string why_in_vain() const; // loops.cpp
};

/// The code that launches waits until so many answers are known. It may leave before: then this lies here until they are.
struct answer_wait : job, turn_wait {
  executor* home = nullptr;
  progress* answers = nullptr;
  std::atomic<bool> over{true};
};

/// Answers are given by launches that write the loop, so they come in the order of the passes. An object serves one loop
/// after the other: the next one begins when all launches of the last one have ended.
struct iterated_loop {
  explicit iterated_loop(flow& f) : answers(f, *this, "the answers of iterate") {}

  /// Of a loop whose launches are in flight in at most so many passes.
  void begin_loop(const iterate_options& o, const loop_pass* around, std::size_t passes_in_flight,
    std::uint64_t launches_before);
  /// The launches of the pass, which may use the memory of a pass that has ended.
  const loop_pass& begin(std::uint64_t number);
  /// As the code that launches last heard, for when to stop launching. The first pass is launched in vain as well, so that
  /// all ranks of a distributed program launch that.
  [[nodiscard]] bool may_have(std::uint64_t pass) const {
    return pass < max && (pass == 0 || runs(pass));
  }
  /// The same where the answers of all passes before are known.
  [[nodiscard]] bool runs(std::uint64_t pass) const {
    return pass <= last.load(std::memory_order_relaxed) && (outer == nullptr || outer->runs());
  }
  /// The answers of so many passes are known.
  [[nodiscard]] bool knows(std::uint64_t passes) {
    return answers.running().reached(turns_before + passes);
  }
  /// Why that pass does not run, or did not.
  [[nodiscard]] std::string why_not(std::uint64_t pass) const;
  void stop_after(std::uint64_t pass) {
    if(pass + lag < last.load(std::memory_order_relaxed))
      last.store(pass + lag, std::memory_order_relaxed);
  }

  /// Pass `pass` has answered, and all before it.
  void note_answer(std::uint64_t pass) {
    if(certain == nullptr || last.load(std::memory_order_relaxed) != most)
      return;
    const bool are_all = most - pass <= lag || most - pass - lag == 1;
    certain->store(are_all ? most + 1 : pass + lag + 2, std::memory_order_relaxed);
  }
  /// Passes that run, once all have answered.
  [[nodiscard]] std::uint64_t passes() const {
    return max == 0 ? 0 : last.load(std::memory_order_relaxed) + 1;
  }

  std::uint64_t number = 0;       ///< What observers know the loop by.
  std::uint64_t first_launch = 0; ///< So many were launched before it.
  std::uint64_t last_launch =
    0; ///< All before this one have ended: nobody uses the object any more.
  std::uint64_t lag = 0;
  std::uint64_t max = 0;
  std::uint64_t most = 0; ///< The last pass, if none says stop.
  /// The last pass to run. Relaxed: who must know has waited for the answer.
  std::atomic<std::uint64_t> last{0};
  std::shared_ptr<std::atomic<std::uint64_t>> certain;
  std::source_location where;
  const loop_pass* outer = nullptr; ///< The pass that the loop is in.
  /// What gives the answers belongs to that pass, and runs in vain as well.
  loop_pass answering;
  std::uint64_t turns_before = 0; ///< Of loops that have had the object before.
  bool is_in_use = false;
  bool is_condition = false; ///< Of `when`: pass 1 runs, or does not.
  bool runs_ahead = false;   ///< Its answers wait for the code that launches: that waits for none.
  answer_wait wait;          ///< Of that code.
  region<iterated_loop> answers;

private:
  static constexpr std::size_t in_block = 64;
  std::vector<std::unique_ptr<loop_pass[]>> blocks_; ///< Made as passes come.
};

inline bool loop_pass::runs() const {
  if(runs_always)
    return true;
  for(const loop_pass* p = this; p != nullptr; p = p->outer)
    if(p->number > p->of->last.load(std::memory_order_relaxed))
      return false;
  return true;
}

/// The answer of the pass is known: it has run, or was launched in vain. By the task that knows.
void tell_end(const iterated_loop& loop, std::uint64_t pass); // observed.cpp

} // namespace detail::inline tracing
} // namespace rondo
