#pragma once

/// \file
/// Loops that end when a task says so, while the code that launches runs ahead: `flow::iterate`; and what runs if a
/// task says so: `flow::when`. They nest: docs/protocols/loops.md.

#include <atomic>
#include <cstddef>
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
#include <rondo/core/two_numbers.hpp>
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

/// A pass that has values for the code behind the loop returns this: see `leave_if`.
template<class... T>
struct leaving {
  future<bool> stop;
  std::tuple<future<T>...> values;
};

/// The loop ends with this pass if `stop` says so. The values of the last pass that has run leave it; a variable
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

template<class Stop, class... T>
  requires(!std::is_convertible_v<Stop, future<bool>> ||
           !(detail::is_future<std::remove_cvref_t<T>> && ...))
leaving<> leave_if(Stop&&, T&&...) { // refused
  static_assert(detail::never<Stop, T...>,
    "rondo: leave_if takes the future<bool> that ends the loop, and the futures of what leaves it: "
    "leave_if(r.then([](double x) { return x < 1e-3; }), r). A value that is there is one of "
    "rondo::make_ready(3.0)");
  return {};
}

namespace detail::inline tracing {

/// What `iterate` returns: the number of passes, and what leaves the loop.
template<class Pass>
struct loop_result {
  using type = future<std::uint64_t>;
  using values = std::tuple<>;
  static leaving<> of(future<bool> stop) { return {std::move(stop), {}}; }
};
/// The body has waited for what tells it.
template<>
struct loop_result<bool> {
  using type = future<std::uint64_t>;
  using values = std::tuple<>;
  static leaving<> of(bool stop) { return {make_ready<bool>(stop), {}}; }
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
struct takes_something_else {};
template<class Body>
auto returned_by_pass() {
  if constexpr(std::is_invocable_v<Body&, std::uint64_t>)
    return std::type_identity<std::invoke_result_t<Body&, std::uint64_t>>();
  else if constexpr(std::is_invocable_v<Body&>)
    return std::type_identity<std::invoke_result_t<Body&>>();
  else
    return std::type_identity<takes_something_else>();
}
/// What a pass returns.
template<class Body>
using pass_result = std::remove_cvref_t<typename decltype(returned_by_pass<Body>())::type>;
template<class Body>
using loop_result_of = loop_result<pass_result<Body>>;

template<class Pass>
inline constexpr bool is_answer =
  std::is_same_v<Pass, bool> || std::is_convertible_v<Pass, future<bool>>;
template<class... T>
inline constexpr bool is_answer<leaving<T...>> = true;

/// A function that `iterate` takes.
template<class Body>
concept loop_body = is_answer<pass_result<Body>>;

struct iterated_loop;

/// What the launches of one pass wait for, and ask before they run.
///
/// Launches that come before the answers are known wait in a list here, and one wait of the pass itself stands for all. There may be thousands of
/// launches, of many passes, and workers come to them in any order. docs/protocols/loops.md.
struct alignas(cache_line) loop_pass : private turn_wait {
  iterated_loop* of = nullptr;
  std::uint64_t number = 0;

  /// A pass of that loop, whose launches wait until so many answers are known, and with them those of all loops around.
  void begin(iterated_loop& loop, std::uint64_t which, progress& answers, std::uint64_t turn);
  /// For what tells whether other launches run: it waits like those of `p`, and runs in vain passes, too.
  void begin_like(const loop_pass& p);

  [[nodiscard]] progress& answers() const { return *answers_; }
  [[nodiscard]] std::uint64_t turn() const { return turn_; }
  /// So many answers are known. Acquire.
  [[nodiscard]] bool may_begin() const { return answers_->reached(turn_); }
  /// Hands over a launch that waits for that. Returns false, and does nothing, if it is so already.
  bool park(turn_wait& w);

  /// The pass of the loop around, or null.
  [[nodiscard]] const loop_pass* outer() const;
  /// Once the answers are known: neither this pass nor one around it is in vain.
  [[nodiscard]] bool runs() const;
  /// Where that is not so: why. Of the pass, or the one around it, that is in vain.
  [[nodiscard]] std::string why_in_vain() const; // loops.cpp

private:
  static void let_go_on(turn_wait& self, crew* here);
  turn_wait* take_parked();

  progress* answers_ = nullptr;
  std::uint64_t turn_ : 63 = 0;
  std::uint64_t runs_always_ : 1 = 0;
  std::atomic<turn_wait*> parked_{
    nullptr}; ///< The newest first; `known`: nobody waits here any more.
};

/// The code that launches waits until so many answers are known. It may leave before: then this lies here until they are.
struct answer_wait : job, turn_wait {
  executor* home = nullptr;
  progress* answers = nullptr;
  std::atomic<bool> over{true};
};

/// How many passes the loops of a place in the program have had. A hint: places may share an object, and workers write it
/// when they know, so all is relaxed.
class loop_lengths {
public:
  [[nodiscard]] static std::size_t slot(const std::source_location& where, std::size_t slots) {
    return (where.line() * std::size_t{31} + where.column()) % slots;
  }
  /// Loops of that place from now on.
  void be_of(const std::source_location& where) {
    if(line_ == where.line() && column_ == where.column() && file_ == where.file_name())
      return;
    file_ = where.file_name();
    line_ = where.line();
    column_ = where.column();
    last_.store(0, std::memory_order_relaxed);
    before_.store(0, std::memory_order_relaxed);
  }
  void note(std::uint64_t passes) {
    before_.store(last_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    last_.store(passes, std::memory_order_relaxed);
  }
  /// The shorter one of the last two: what most likely is not in vain.
  [[nodiscard]] std::uint64_t expected() const {
    return smaller_of(
      last_.load(std::memory_order_relaxed), before_.load(std::memory_order_relaxed));
  }

private:
  const char* file_ = nullptr; // the code that launches looks at these three alone
  std::uint32_t line_ = 0, column_ = 0;
  std::atomic<std::uint64_t> last_{0};
  std::atomic<std::uint64_t> before_{0};
};

/// Answers are given by launches that write the loop, so they come in the order of the passes. An object serves one loop
/// after the other: the next one begins when all launches of the last one have ended.
struct iterated_loop {
  explicit iterated_loop(flow& f) : answers(f, *this, "the answers of iterate") {}

  /// Of a loop whose launches are in flight in at most so many passes.
  void begin_loop(const iterate_options& o, const loop_pass* around, std::size_t passes_in_flight,
    std::uint64_t launches_before, loop_lengths& of_place);
  /// The launches of the pass, which may use the memory of a pass that has ended.
  loop_pass& begin(std::uint64_t number);
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
    if(pass + lag < last.load(std::memory_order_relaxed)) {
      last.store(pass + lag, std::memory_order_relaxed);
      lengths->note(pass + lag + 1);
    }
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
  const loop_pass* outer = nullptr; ///< The pass that the loop is in.
  std::source_location where;
  /// Launches that give the answers belong to that pass, and run in vain as well.
  loop_pass answering;
  std::uint64_t turns_before = 0; ///< Of loops that have had the object before.
  bool is_in_use = false;
  bool is_condition = false; ///< Of `when`: pass 1 runs, or does not.
  bool runs_ahead = false;   ///< Its answers wait for the code that launches: that waits for none.
  loop_lengths* lengths = nullptr;   ///< Of loops at that place.
  std::uint64_t expected_passes = 0; ///< So many it will have, or more, if it is as the last ones.
  alignas(cache_line) answer_wait wait; ///< Of that code.
  region<iterated_loop> answers;

private:
  static constexpr std::size_t in_block = 64;
  std::vector<std::unique_ptr<loop_pass[]>> blocks_; ///< Made as passes come.
};

inline const loop_pass* loop_pass::outer() const { return of->outer; }

inline bool loop_pass::runs() const {
  if(runs_always_ != 0)
    return true;
  for(const loop_pass* p = this; p != nullptr; p = p->of->outer)
    if(p->number > p->of->last.load(std::memory_order_relaxed))
      return false;
  return true;
}

/// The answer of the pass is known: it has run, or was launched in vain. By the task that knows.
void tell_end(const iterated_loop& loop, std::uint64_t pass); // observed.cpp

} // namespace detail::inline tracing
} // namespace rondo
