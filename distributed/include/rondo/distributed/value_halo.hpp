#pragma once

/// \file
/// The halo of a field with a value for each element. Where neighbours on the same rank are read in place, there is nothing to copy, but
/// the launches are the same: they make the task wait for its neighbours.
///
/// One launch for each message that is sent: it reads what its rank needs of our colors. One for
/// each that is received: it writes its part of the ghosts of our colors, and ends when the message is there.
/// Short ones from and to the same colors have one for all of them: joint_exchange.hpp.
/// One for each color with neighbours on this rank: it reads these and writes its part of the ghosts. Launches
/// with too many accesses are several: message_end.hpp. They write different ghosts, and so do not wait for each other.

#include <cstddef>
#include <deque>
#include <source_location>
#include <span>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/halo.hpp>
#include <rondo/distributed/joint_exchange.hpp>
#include <rondo/distributed/message_end.hpp>

namespace rondo::detail::inline distributed {

class value_halo final : public halo {
public:
  explicit value_halo(field_state& f);
  /// Of those no deeper than that. Takes a channel: made in the same order on all ranks.
  value_halo(field_state& f, short depth);
  ~value_halo() override;

  [[nodiscard]] std::size_t colors() const override { return local_.size(); }
  void launch_clearing(std::size_t color, const std::source_location& where) override;

private:
  void exchange(const std::source_location& where) override;
  void copy_into(std::size_t color, const std::source_location& where) override;
  value_halo(field_state& f, const exchange_plan& plan, std::uint32_t channel);

  struct local {
    std::span<const exchange_plan::copy> plan;
    std::vector<part_group> groups;
    std::vector<part_group> readers; ///< The same with the neighbours' ghosts.
  };

  class copying;
  class clearing;

  void join_short_messages();
  void copy_group(std::size_t color, const part_group& g) const;
  [[nodiscard]] bool lies_in_place(std::size_t color, const part_group& g) const;

  const std::uint32_t channel_;
  std::deque<message_end<channel_out>> outgoing_;
  std::deque<message_end<channel_in>> incoming_;
  std::deque<joint_exchange> joint_; ///< Of some of them.
  std::vector<local> local_;         ///< For each color.
};

} // namespace rondo::detail::inline distributed
