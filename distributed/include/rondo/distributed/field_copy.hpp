#pragma once

/// \file
/// Copies of values from a field over one structured mesh to one over another: launches like any other, for each message
/// and for each color that gets something of others on its rank.
///
/// A color gets different parts from several of them, which are written in any order. But two copies may overlap,
/// so each waits for those before: a launch that does nothing writes the color first, unless just one writes
/// something of it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <source_location>
#include <span>
#include <vector>

#include <rondo/distributed/copy_plan.hpp>
#include <rondo/distributed/message_end.hpp>

namespace rondo {

class scheduler;

namespace detail::inline distributed {

/// As the plan says. std::invalid_argument, with what is wrong, if these are no fields of structured meshes of as many dimensions.
[[nodiscard]] exchange_plan plan_of(const copy_request& what);

class field_copy {
public:
  /// Made on all ranks.
  field_copy(scheduler& s, const copy_request& what, exchange_plan plan);
  ~field_copy();
  field_copy(const field_copy&) = delete;
  field_copy& operator=(const field_copy&) = delete;

  [[nodiscard]] bool is(const copy_request& what) const { return what_ == what; }
  [[nodiscard]] bool is_of(const field_state& f) const {
    return what_.from == &f || what_.to == &f;
  }
  void launch(const std::source_location& where);

private:
  scheduler& home_;
  const copy_request what_;
  const std::uint32_t channel_;
  const exchange_plan plan_;
  std::deque<message_end<channel_out>> outgoing_;
  std::deque<message_end<channel_in>> incoming_;
  struct local {
    std::size_t color; ///< The color that gets something.
    std::span<const exchange_plan::copy> plan;
    std::vector<part_group> groups;
  };
  class copying;
  class ordering;

  std::vector<local> local_;
  std::vector<unsigned> launches_into_; ///< For each color of this rank.
};

} // namespace detail::inline distributed
} // namespace rondo
