#pragma once

/// \file
/// Filling the ghosts of a field: launches like any other, so that whatever does not need the ghosts
/// runs meanwhile. Where neighbours on the same rank are read in place, there is nothing to copy, but
/// the launches are the same: they make the task wait for its neighbours.
///
/// One launch for each message that is sent: it reads what its rank needs of our colors. One for
/// each that is received: it writes its part of the ghosts of our colors, and ends when the message is there.
/// One for each color with neighbours on this rank: it reads these and writes its part of the ghosts. Launches
/// with more accesses than `most_at_once` are several. They write different ghosts, and so do not wait for each other.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <source_location>
#include <span>
#include <type_traits>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

class flow;

namespace detail::inline distributed {

class field_state;

class halo {
public:
  explicit halo(field_state& f);
  halo(const halo&) = delete;
  halo& operator=(const halo&) = delete;

  [[nodiscard]] std::size_t colors() const { return local_.size(); }
  /// Launches all that.
  void refresh(const std::source_location& where);
  /// The same piece by piece, in any order.
  void launch_messages(const std::source_location& where);
  void launch_copies(std::size_t color, const std::source_location& where);
  /// For a color that is about to be written: waits for those who read it in place.
  void launch_clearing(std::size_t color, const std::source_location& where);

  static constexpr std::size_t most_at_once = 8;

private:
  using regions = std::vector<region<color_block>*>;

  /// Of a message or of the copies into a color: those with so many colors at the other end.
  struct group {
    regions of;
    std::size_t first = 0; ///< Parts.
    std::size_t last = 0;
    /// Of copies: source and target are the same, as long as the colors are together.
    bool is_in_place = false;
  };

  /// What is sent to a rank, or received from it.
  template<class Channel>
  struct message_end final : channel_user {
    message_end(halo& h, const exchange_plan::message& m);
    /// The part of a group, when the memory may be used. The last one hands it over.
    void handle(const group& g);
    void channel_is_ready(std::byte* there) override;
    void begin(rondo::completion done);
    void begin_at_once(); ///< If the channel is ready.

    static constexpr bool sends = std::is_same_v<Channel, channel_out>;
    halo& of;
    const exchange_plan::message& plan;
    Channel channel;
    region<message_end> order;
    std::vector<group> groups;
    std::byte* memory = nullptr;
    std::optional<rondo::completion> waiting;
  };

  struct local {
    std::span<const exchange_plan::copy> plan;
    std::vector<group> groups;
    std::vector<group> readers; ///< The same with the neighbours' ghosts.
  };

  template<class Channel>
  class exchanging;
  class copying;
  class clearing;

  template<class Channel>
  void launch_message(const char* name, message_end<Channel>& e, const std::source_location& where);
  void copy_group(std::size_t color, const group& g) const;
  [[nodiscard]] bool lies_in_place(std::size_t color, const group& g) const;
  template<class Parts, class ColorOf, class RegionOf>
  static std::vector<group> group_up(const Parts& parts, ColorOf color_of, RegionOf region_of);

  field_state& field_;
  std::deque<message_end<channel_out>> outgoing_;
  std::deque<message_end<channel_in>> incoming_;
  std::vector<local> local_; ///< For each color.
};

} // namespace detail::inline distributed
} // namespace rondo
