#pragma once

/// \file
/// Values that tasks have written to the ghosts of a field, as `accessor<rw, fold::sum>` says, become part of what the owners have:
/// launches like any other, around those of the task.
///
/// | launch | for each | does |
/// |---|---|---|
/// | contributions: clear | color | writes to its ghosts what changes nothing when it is folded |
/// | (the task) | color | |
/// | contributions: send | message | reads ghosts, packs them |
/// | contributions: receive | message | ends when the message is there |
/// | contributions: fold | color | reads messages, and ghosts of neighbours on this rank, and folds them into what the color owns, in the order of contribution_plan.hpp |
/// | contributions: taken | message | the next one may come |
///
/// None waits for more than it needs: a color is folded while messages for others are under way.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <source_location>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/contribution_plan.hpp>
#include <rondo/distributed/message_end.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

class scheduler;

namespace detail::inline distributed {

class field_state;
struct folding;

class contributions {
public:
  /// Takes a channel: made in the same order on all ranks.
  explicit contributions(field_state& f);
  ~contributions();
  contributions(const contributions&) = delete;
  contributions& operator=(const contributions&) = delete;

  void launch_before(const folding& how, const std::source_location& where);
  void launch_after(const folding& how, const std::source_location& where);

  /// A message for colors of this rank. It stays where it is until all its parts are folded.
  struct arrival final : channel_user {
    arrival(
      field_state& f, const exchange_plan::message& m, std::uint32_t channel, std::uint32_t number);
    void channel_is_ready(std::byte* there) override;
    void begin(rondo::completion done);

    channel_in channel;
    region<arrival> order;
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
