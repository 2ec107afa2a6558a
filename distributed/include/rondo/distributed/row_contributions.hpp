#pragma once

/// \file
/// Contributions to a ragged field, `accessor<rw, fold::append>`: values that tasks have added to rows of ghosts go to the ends of the
/// owners' rows.
///
/// A color's own additions come first, then those of its neighbours, in the order of contribution_plan.hpp; those of one neighbour in the
/// order in which its task has added them.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <rondo/distributed/contribution_plan.hpp>
#include <rondo/distributed/contributions.hpp>
#include <rondo/distributed/growing_channel.hpp>
#include <rondo/distributed/row_message.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo::detail::inline distributed {

class row_contributions final : public contributions {
public:
  /// Takes channels: made in the same order on all ranks.
  explicit row_contributions(field_state& f);

  /// `how` is fold::append: there is no other.
  void launch_before(const folding& how, const std::source_location& where) override;
  void launch_after(const folding& how, const std::source_location& where) override;

  /// A message for colors of this rank. It stays where it is until all its parts are appended.
  class arrival final : growing_in::user {
  public:
    arrival(field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers,
      std::uint32_t number);
    void begin(rondo::completion done);
    void end() { channel_.end(); }

    struct part {
      std::span<const std::byte> lengths;
      std::span<const std::byte> values;
    };
    /// The one that begins there, in rows.
    [[nodiscard]] const part& at(std::int64_t offset) const;

    region<arrival> as_region;

  private:
    void has_come(std::span<const std::byte> message) override;

    const exchange_plan::message& plan_;
    const std::size_t value_size_;
    growing_in channel_;
    std::vector<part> parts_;
    std::optional<rondo::completion> waiting_;
  };

private:
  struct added {
    contribution what;
    row_places from; ///< Of a neighbour on this rank.
    row_places into;
  };
  struct incoming {
    std::vector<added> all;
    std::vector<region_access> accesses;
  };

  void append_to(std::size_t color) const;

  field_state& field_;
  const growing_channel_numbers numbers_;
  std::deque<rows_out> outgoing_;
  std::deque<arrival> arrivals_;
  std::vector<incoming> into_;   ///< For each color.
  std::vector<bool> has_ghosts_; ///< For each color.
};

} // namespace rondo::detail::inline distributed
