#pragma once

/// \file
/// The halo of a field with a value for each element. Where neighbours on the same rank are read in place, there is nothing to copy: the
/// tasks name them among their accesses, or launches that do nothing else wait for them (coherence.hpp).
///
/// One launch for each message that is sent: it reads what its rank needs of our colors. One for
/// each that is received: it writes its part of the ghosts of our colors, and ends when the message is there.
/// Short ones from and to the same colors have one for all of them: joint_exchange.hpp.
/// One for each color with neighbours on this rank: it reads these and writes its part of the ghosts; and another one, if it has both,
/// for neighbours that are read in place. Launches
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
  [[nodiscard]] std::span<const region_access> neighbours_in_place(
    std::size_t color) const override {
    return local_[color].neighbours;
  }

private:
  void exchange(const std::source_location& where) override;
  void copy_into(std::size_t color, const std::source_location& where) override;
  void wait_for_neighbours(std::size_t color, const std::source_location& where) override;
  value_halo(field_state& f, const exchange_plan& plan, std::uint32_t channel);

  using copies = std::vector<const exchange_plan::copy*>;
  struct local {
    copies plan; ///< Those that are read in place come last.
    std::vector<part_group> copied;
    std::vector<part_group> in_place;      ///< As long as the colors are together.
    std::vector<region_access> neighbours; ///< Of `in_place`, each once.
    std::vector<part_group> readers; ///< The same with the neighbours' ghosts, and all that can be.
  };

  class copying;
  class clearing;

  void join_short_messages();
  [[nodiscard]] local local_of(std::size_t color, const exchange_plan& plan) const;
  void launch_copies_of(std::size_t color, const std::vector<part_group>& groups, bool are_in_place,
    const std::source_location& where);
  void copy_group(std::size_t color, const part_group& g) const;
  [[nodiscard]] bool lies_in_place(const exchange_plan::copy& c) const;

  const std::uint32_t channel_;
  std::deque<message_end<channel_out>> outgoing_;
  std::deque<message_end<channel_in>> incoming_;
  std::deque<joint_exchange> joint_; ///< Of some of them.
  std::vector<local> local_;         ///< For each color.
};

} // namespace rondo::detail::inline distributed
