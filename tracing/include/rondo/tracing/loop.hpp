#pragma once

/// \file
/// Loops that end when a task says so, while the code that launches runs ahead: `flow::iterate`.

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include <rondo/tracing/region.hpp>

namespace rondo {

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

namespace detail::inline tracing {

struct iterated_loop;

/// What the launches of one pass wait for, and ask before they run.
struct loop_pass {
  iterated_loop* of = nullptr;
  std::uint64_t number = 0;
  std::uint64_t turn = 0; ///< So many answers must be known.
};

/// Answers are given by launches that write the loop, so they come in the order of the passes.
struct iterated_loop {
  iterated_loop(
    flow& f, const iterate_options& o, std::size_t passes_in_flight, std::uint64_t launches_before)
      : first_launch(launches_before), lag(o.lag), most(o.max == 0 ? 0 : o.max - 1), last(most),
        certain(o.certain), where(o.where), passes(passes_in_flight),
        answers(f, *this, "the answers of iterate") {}

  /// The launches of the pass `number`, which may use the memory of a pass that has ended.
  const loop_pass& begin(std::uint64_t number) {
    loop_pass& p = passes[number % passes.size()];
    p = {this, number, number > lag ? number - lag : 0};
    return p;
  }
  /// Why that pass does not run, or did not.
  [[nodiscard]] std::string why_not(std::uint64_t pass) const; // flow.cpp
  void stop_after(std::uint64_t number) {
    if(number + lag < last.load(std::memory_order_relaxed))
      last.store(number + lag, std::memory_order_relaxed);
  }

  /// Pass `number` has answered, and all before it.
  void note_answer(std::uint64_t number) {
    if(certain == nullptr || last.load(std::memory_order_relaxed) != most)
      return;
    const bool are_all = most - number <= lag || most - number - lag == 1;
    certain->store(are_all ? most + 1 : number + lag + 2, std::memory_order_relaxed);
  }

  const std::uint64_t first_launch; ///< What observers know the loop by.
  const std::uint64_t lag;
  const std::uint64_t most; ///< The last pass, if none says stop.
  /// The last pass to run. Relaxed: who must know has waited for the answer.
  std::atomic<std::uint64_t> last;
  std::shared_ptr<std::atomic<std::uint64_t>> certain;
  const std::source_location where;
  std::vector<loop_pass> passes;
  region<iterated_loop> answers;
};

/// The answer of the pass is known: it has run, or was launched in vain. By the task that knows.
void tell_end(const iterated_loop& loop, std::uint64_t pass); // observed.cpp

} // namespace detail::inline tracing
} // namespace rondo
