#pragma once

/// \file
/// Launches of a template that stand where they are, pass after pass: docs/protocols/trace.md, "Standing launches". All of this is
/// the launching side's.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/tracing/launch_memory.hpp>

namespace rondo::detail::inline tracing {

struct launch;
struct loop_pass;

/// What differs from one pass to the next where values don't.
struct standing_use {
  std::uint64_t round = 0;   ///< The pass of the trace.
  loop_pass* pass = nullptr; ///< Of a loop, or null.
};

class standing_launches {
public:
  explicit standing_launches(std::size_t nodes) : originals_(nodes) {}

  /// Never run, and nobody else reads it: what the values of the next launch are compared with. Passes have numbers, from 1.
  struct original {
    launch* made = nullptr;
    /// In this pass it was made what it is; or launched again, after one without it.
    std::uint64_t changed = 0;
    std::uint64_t last = 0;    ///< The pass in which it was launched last.
    std::uint32_t changes = 0; ///< So many, one pass after the other.
  };

  // ---- passes -----------------------------------------------------------------------------------

  /// The next launch has this number, or a larger one.
  void end_pass(std::uint64_t next_launch) {
    if(current_ != nullptr)
      current_->end = next_launch;
    current_ = nullptr;
  }
  /// Launches before `ended` have ended. Returns false if all copies are still in use, perhaps.
  bool begin_pass(std::uint64_t ended) {
    const std::size_t next = at_ + 1 < passes_.size() ? at_ + 1 : 0;
    if(passes_.empty() || passes_[next]->end > ended)
      return false;
    use(next);
    return true;
  }
  /// For a pass that has begun: copies for one more, unless there are many.
  void add_pass();
  [[nodiscard]] bool has_pass() const { return current_ != nullptr; }

  // ---- launches of the pass ---------------------------------------------------------------------

  original& original_of(std::uint32_t node) { return originals_[node]; }
  /// Its values change in each pass, so to make it in the memory of the batch is less to do. But for a pass now and then, which shows
  /// whether that is still so.
  [[nodiscard]] bool is_restless(std::uint32_t node) const {
    return originals_[node].changes >= many_changes && number_ % passes_between_tries != 0;
  }
  /// The copy of the current pass, where it is known to be what the original is; else null.
  launch* same_copy(std::uint32_t node) {
    original& o = originals_[node];
    // From the pass of the change on there was no pass without it, so each has left a copy.
    if(o.changed > current_->before || o.last + 1 != number_)
      return nullptr;
    o.last = number_;
    o.changes = 0;
    return current_->copies[node];
  }
  /// Makes it so; the original has so many bytes. `has_changed`: since the pass before. Returns null if there is no memory.
  launch* renew_copy(
    std::uint32_t node, bool has_changed, std::size_t size, std::size_t alignment) noexcept;
  /// As long as this lives. Null if there is none.
  void* reserve(std::size_t size, std::size_t alignment) noexcept;

private:
  static constexpr std::uint32_t many_changes = 4;
  static constexpr std::uint64_t passes_between_tries = 64;

  struct pass {
    std::uint64_t end = 0;    ///< All that were launched in it have smaller numbers.
    std::uint64_t number = 0; ///< Of the pass that uses it, or has last;
    std::uint64_t before = 0; ///< and of the one before that, 0 if there was none.
    std::vector<launch*> copies;
  };

  void use(std::size_t at) {
    at_ = at;
    current_ = passes_[at].get();
    current_->before = current_->number;
    current_->number = ++number_;
  }

  std::vector<original> originals_;
  std::vector<std::unique_ptr<pass>> passes_; ///< Used by turns.
  pass* current_ = nullptr;
  std::size_t at_ = 0;       ///< Of the last one that was current.
  std::uint64_t number_ = 0; ///< Of the current pass, or the last one.
  std::size_t bytes_ = 0;
  launch_memory memory_;
};

} // namespace rondo::detail::inline tracing
