#pragma once

/// \file
/// Loops of `repeat` that have run, for the next one like them: a solver that smooths in each step, or in each cycle, launches the same body again
/// and again, and to find out what comes after what takes as long as to run it some ten times. docs/protocols/trace.md, "Once more".

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/tracing/region.hpp>

namespace rondo::detail::inline tracing {

struct closed_loop;

/// For the code that launches.
class spare_loops {
public:
  spare_loops();
  ~spare_loops();

  /// Nobody looks at it any more. It is destroyed if it is of no use, as are the oldest ones where there are too many.
  void keep(std::unique_ptr<closed_loop> l);
  /// One that can run what this body has launched; or null.
  [[nodiscard]] std::unique_ptr<closed_loop> take_like(const closed_loop& other);
  /// So often has it had one.
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  /// The region ends.
  void forget(const region_base& r);

private:
  /// Each takes up some 300 bytes.
  static constexpr std::uint64_t most_instances = 65'536;
  /// More than a batch of launches has: what is launched without a wait is seen to have ended batch by batch.
  static constexpr std::size_t most = 128;

  std::vector<std::unique_ptr<closed_loop>> all_; ///< The oldest first.
  std::uint64_t instances_ = 0;                   ///< Of all.
  std::uint64_t taken_ = 0;
};

} // namespace rondo::detail::inline tracing
