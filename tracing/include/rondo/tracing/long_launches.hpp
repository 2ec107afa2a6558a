#pragma once

/// \file
/// What the workers of a flow know of launches that take long, and the time for which one of them may wait for a
/// message before it begins such a launch. docs/protocols/poller.md

#include <array>
#include <atomic>
#include <cstdint>

#include <rondo/core/poll_pace.hpp>
#include <rondo/core/two_numbers.hpp>

namespace rondo::detail::inline tracing {

struct launch_kind;

/// A message that comes while long launches run waits for the end of one, and so does the rank that the answer goes to.
/// So a worker may wait a moment before a long launch. A core that waits does nothing else, so waits are paid from
/// savings: a sixteenth of the time that long launches take.
///
/// All workers of a flow have one of these together, and one of them waits at a time. Everything is relaxed: these
/// are numbers to go by, which guard nothing, and one that gets lost between two workers is no loss.
class long_launches {
public:
  /// A launch that takes so many ticks is long.
  static constexpr std::uint64_t least = poll_pace::long_job;

  [[nodiscard]] bool is_empty() const { return !knows_any_.load(relaxed); }
  /// Null is no kind: nothing is known of the launch, or to be asked.
  [[nodiscard]] bool contain(const launch_kind* kind) const {
    return kind != nullptr && !is_empty() && place_of(kind) != most_kinds;
  }

  /// It has ended now, after so many ticks.
  void has_run_long(const launch_kind* kind, std::uint64_t took, std::uint64_t now) {
    const std::uint64_t lately = length_.load(relaxed);
    length_.store(larger_of(took, lately - lately / 8), relaxed);
    last_.store(now, relaxed);
    savings_.store(
      smaller_of(savings_.load(relaxed) + took / part, larger_of(first_savings, 2 * whole_wait())),
      relaxed);
    if(contain(kind))
      return;
    kinds_[next_.fetch_add(1, relaxed) % most_kinds].store(kind, relaxed);
    knows_any_.store(true, relaxed);
  }

  void has_run_short(const launch_kind* kind) {
    const std::uint32_t place = place_of(kind);
    if(place == most_kinds)
      return;
    kinds_[place].store(nullptr, relaxed);
    knows_any_.store(has_any_kind(), relaxed);
  }

  /// Long ones have not come for a while: to look for them among short ones costs more than it may bring.
  void forget_old(std::uint64_t now) {
    if(is_empty() || now - last_.load(relaxed) <= memory * length_.load(relaxed))
      return;
    knows_any_.store(false, relaxed);
    for(auto& k : kinds_)
      k.store(nullptr, relaxed);
  }

  /// Ticks, before a long launch; 0: it is to begin at once. To wait for half as long again as it takes is enough: in that time
  /// any other rank comes to the end of its own, finds what was sent, and answers. If that was in vain, there is nothing to
  /// wait for until something else has been sent or asked for. Where there is not enough for that, the rank that has
  /// sent what has come may wait for the answer, and is worth a short wait.
  [[nodiscard]] std::uint64_t patience() const {
    const std::uint64_t savings = savings_.load(relaxed);
    const std::uint64_t whole = whole_wait();
    if(!waits_in_vain_.load(relaxed) || (savings >= whole && has_asked_.load(relaxed)))
      return smaller_of(savings, whole);
    return something_came_.load(relaxed) ? smaller_of(savings, larger_of(short_wait, savings / 32))
                                         : 0;
  }

  /// In such a wait, which has lasted so long: the same, from its beginning. What has been sent or asked for meanwhile is answered
  /// as late as if the wait began with that.
  [[nodiscard]] std::uint64_t patience_after(std::uint64_t waited, std::uint64_t patience) {
    if(!has_asked_.load(relaxed))
      return patience;
    has_asked_.store(false, relaxed);
    return larger_of(patience, smaller_of(savings_.load(relaxed), waited + whole_wait()));
  }

  void has_waited(std::uint64_t ticks, bool in_vain) {
    const std::uint64_t savings = savings_.load(relaxed);
    savings_.store(savings - smaller_of(ticks, savings), relaxed);
    waits_in_vain_.store(in_vain, relaxed);
    has_asked_.store(false, relaxed);
    something_came_.store(false, relaxed);
  }
  /// A launch that sends a message, or waits for one, has begun.
  void has_asked() {
    if(!has_asked_.load(relaxed))
      has_asked_.store(true, relaxed);
  }
  /// A message, for any of the workers.
  void has_come() {
    if(!something_came_.load(relaxed))
      something_came_.store(true, relaxed);
  }

  /// Returns false if another worker waits: one does at a time.
  [[nodiscard]] bool begin_wait() { return !one_waits_.exchange(true, relaxed); }
  void end_wait() { one_waits_.store(false, relaxed); }

private:
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;
  static constexpr std::uint64_t part = 16;
  static constexpr std::uint64_t memory = 64; ///< Times as long as the last one took.
  static constexpr std::uint64_t first_savings = 10'000'000; ///< Some 4 ms.
  static constexpr std::uint64_t short_wait = 50'000;        ///< Another rank's answer takes less.
  static constexpr std::uint32_t most_kinds = 4; ///< The most kinds that are remembered.

  [[nodiscard]] std::uint64_t whole_wait() const {
    const std::uint64_t length = length_.load(relaxed);
    return length + length / 2;
  }

  /// `most_kinds` if it is not there.
  [[nodiscard]] std::uint32_t place_of(const launch_kind* kind) const {
    std::uint32_t place = 0;
    while(place != most_kinds && kinds_[place].load(relaxed) != kind)
      ++place;
    return place;
  }

  [[nodiscard]] bool has_any_kind() const {
    for(const auto& k : kinds_)
      if(k.load(relaxed) != nullptr)
        return true;
    return false;
  }

  std::array<std::atomic<const launch_kind*>, most_kinds> kinds_{};
  std::atomic<bool> knows_any_{false};
  std::atomic<std::uint32_t> next_{0};
  std::atomic<std::uint64_t> length_{0}; ///< Of the longest one lately.
  std::atomic<std::uint64_t> last_{0};   ///< When that ended.
  std::atomic<std::uint64_t> savings_{first_savings};
  std::atomic<bool> waits_in_vain_{false};  ///< One of them did so last.
  std::atomic<bool> has_asked_{false};      ///< Since then.
  std::atomic<bool> something_came_{false}; ///< Since then.
  std::atomic<bool> one_waits_{false};
};

} // namespace rondo::detail::inline tracing
