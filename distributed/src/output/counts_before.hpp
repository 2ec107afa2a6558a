#pragma once

/// \file
/// How many values the rows of each rank have, in each ragged field of a file: so each rank knows where its own begin, behind those of
/// the ranks before it, and rank 0 how long the file is.
///
/// A sum over all ranks before, in log2(ranks) steps, each with one message to a rank and one from another: in step i a rank sends the
/// sum of its own counts and of those that have come so far to the rank whose number is higher by 2^i. At the end the last rank tells rank 0.

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

#include <rondo/distributed/collective.hpp>
#include <rondo/distributed/reduction_steps.hpp>

#include "format.hpp"

namespace rondo::detail::inline distributed {

/// Of each field with rows, in the order of the fields.
using row_counts = std::array<std::uint64_t, most_stored_arrays>;

/// The messages of a rank.
[[nodiscard]] std::vector<reduction_step> steps_of_counts(unsigned rank, unsigned ranks);

class counts_before final : public collective {
public:
  explicit counts_before(scheduler& s);

  /// Of the next file, once `own` is known.
  void begin(const row_counts& own, rondo::completion done);
  /// The launches that begin it write this; those that read it find the results.
  [[nodiscard]] region<counts_before>& as_region() { return region_; }
  /// What all ranks before this one have.
  [[nodiscard]] const row_counts& before() const { return before_; }
  /// What all have; on rank 0.
  [[nodiscard]] const row_counts& all() const { return so_far_; }

private:
  void fill(std::byte* message) const override;
  void join(const std::byte* message) override;

  const bool is_first_;
  row_counts before_{};
  row_counts so_far_{}; ///< With its own.
  region<counts_before> region_;
};

} // namespace rondo::detail::inline distributed
