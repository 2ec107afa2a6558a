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

class standing_launches {
public:
  explicit standing_launches(std::size_t nodes) : originals_(nodes) {}

  /// Never run, and nobody else reads it: what the values of the next launch are compared with.
  struct original {
    launch* made = nullptr;
    std::uint64_t version = 0; ///< Its values have changed so often.
  };
  /// Of an original, for one pass at a time.
  struct copy {
    launch* made = nullptr;
    std::uint64_t version = 0; ///< Of the original, when it was made.
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
    at_ = next;
    current_ = passes_[next].get();
    return true;
  }
  /// For a pass that has begun: copies for one more, unless there are many.
  void add_pass();
  [[nodiscard]] bool has_pass() const { return current_ != nullptr; }

  // ---- launches of the pass ---------------------------------------------------------------------

  original& original_of(std::uint32_t node) { return originals_[node]; }
  [[nodiscard]] const copy& copy_of(std::uint32_t node) const { return current_->copies[node]; }
  /// Makes the copy what the original is, which has so many bytes. Returns null if there is no memory.
  launch* renew(std::uint32_t node, std::size_t size, std::size_t alignment) noexcept;
  /// As long as this lives. Null if there is none.
  void* reserve(std::size_t size, std::size_t alignment) noexcept;

private:
  struct pass {
    std::uint64_t end = 0; ///< All that were launched in it have smaller numbers.
    std::vector<copy> copies;
  };

  std::vector<original> originals_;
  std::vector<std::unique_ptr<pass>> passes_; ///< Used by turns.
  pass* current_ = nullptr;
  std::size_t at_ = 0; ///< Of the last one that was current.
  std::size_t bytes_ = 0;
  launch_memory memory_;
};

} // namespace rondo::detail::inline tracing
