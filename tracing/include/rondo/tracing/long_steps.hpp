#pragma once

/// \file
/// Which launches of a closed loop take long, as its passes have shown.

#include <atomic>
#include <cstdint>
#include <memory>

namespace rondo::detail::inline tracing {

/// While a crew runs such a launch, it is to keep nothing that another one could run: docs/protocols/trace.md.
///
/// Known for each launch and not for each function, since colors may differ in what they hold. All of it are hints, which guard
/// nothing: so relaxed is enough.
class long_steps {
public:
  /// Ticks. In a lane a crew claims work that takes about so long: a launch that takes longer is mostly claimed alone, so
  /// little is to be left before it. And a crew that has nothing to do comes for what is left in less.
  static constexpr std::uint64_t least = 100'000;

  void begin(std::uint32_t launches) {
    are_long_ = std::make_unique<std::atomic<bool>[]>(launches);
  }

  [[nodiscard]] bool contain(std::uint32_t launch) const {
    return are_long_[launch].load(std::memory_order_relaxed);
  }
  void set(std::uint32_t launch, bool is_long) {
    are_long_[launch].store(is_long, std::memory_order_relaxed);
  }

  /// It has taken so many ticks. One that is about as long as the least stays what it was.
  [[nodiscard]] static bool is_long(std::uint64_t took, bool was_long) {
    return took >= (was_long ? least / 2 : least);
  }

private:
  std::unique_ptr<std::atomic<bool>[]> are_long_;
};

} // namespace rondo::detail::inline tracing
