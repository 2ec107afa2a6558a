#pragma once

/// \file
/// Contributions to a field with a value for each element: ghosts are folded into what their owners have.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <source_location>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/contribution_plan.hpp>
#include <rondo/distributed/contributions.hpp>
#include <rondo/distributed/message_end.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

class scheduler;

namespace detail::inline distributed {

class value_contributions final : public contributions {
public:
  /// Takes a channel: made in the same order on all ranks.
  explicit value_contributions(field_state& f);
  ~value_contributions() override;

  void launch_before(const folding& how, const std::source_location& where) override;
  void launch_after(const folding& how, const std::source_location& where) override;

  /// A message for colors of this rank. It stays where it is until all its parts are folded.
  struct arrival final : channel_user {
    arrival(
      field_state& f, const exchange_plan::message& m, std::uint32_t channel, std::uint32_t number);
    void channel_is_ready(std::byte* there) override;
    void begin(rondo::completion done);

    channel_in channel;
    region<arrival> as_region;
    const std::byte* memory = nullptr;
    std::optional<rondo::completion> waiting;
  };

private:
  class clearing;
  class folding_in;

  /// Contributions that are folded into a color.
  struct incoming {
    std::vector<contribution> all;
    std::vector<region_access> accesses;
  };

  void clear(std::size_t color, const folding& how) const;
  void fold_into(std::size_t color, const folding& how) const;

  field_state& field_;
  const std::uint32_t channel_;
  std::deque<message_end<channel_out>> outgoing_;
  std::deque<arrival> arrivals_;
  std::vector<incoming> into_;                        ///< For each color.
  std::vector<std::vector<const selection*>> ghosts_; ///< For each color: all that neighbours own.
};

} // namespace detail::inline distributed
} // namespace rondo
