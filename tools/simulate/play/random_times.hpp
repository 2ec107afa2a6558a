#pragma once

/// \file
/// How long the tasks of a plan take: drawn from what was measured. The draw is a hash of what the task is, not the next
/// number of a generator, so that a task takes as long whatever happens before it, and however many ranks there are.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "costs/costs.hpp"
#include "plan/program.hpp"

namespace rondo::simulate {

class random_times {
public:
  /// Throws std::runtime_error if a task of the program's was never measured.
  random_times(const plan& p, const costs& c, std::uint64_t seed);

  /// Nanoseconds that the task of the `number`-th launch of a rank takes.
  [[nodiscard]] std::int64_t of(std::uint32_t rank, std::uint32_t site, std::uint32_t number) const;

private:
  struct measured {
    std::span<const double> levels; ///< Of the costs, which are kept by the caller.
    std::span<const double> spread;
    std::uint64_t hash =
      0; ///< Of what the site is called: its number is another one in another plan.
  };
  std::vector<measured> sites_;
  std::uint64_t seed_;
};

} // namespace rondo::simulate
