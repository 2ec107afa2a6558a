#pragma once

/// \file
/// One end of messages that carry elements of a field, as a plan says: launches like any other, which read what is sent, or
/// write what comes.
///
/// One launch for each message, or several if many colors have a part in it: parts of the first ones are then packed while the last ones are
/// still worked on. The first one sent or received ends when the channel has room, or the message is there. A message that comes writes
/// parts: launches that write other elements of the same colors do not wait for it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <type_traits>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo::detail::inline distributed {

class field_state;
class joint_exchange;

/// Parts of a message, or of the copies into a color: those of one launch, and what it does with the colors that they are of.
struct part_group {
  static constexpr std::size_t most_colors = 8;

  std::vector<region_access> accesses; ///< To these colors.
  std::size_t first = 0;               ///< Parts.
  std::size_t last = 0;
};

/// Parts one after the other, as long as they have to do with few enough colors.
template<class Parts, class ColorOf, class AccessTo>
std::vector<part_group> group_up(const Parts& parts, ColorOf color_of, AccessTo access_to) {
  std::vector<part_group> groups;
  std::vector<std::size_t> colors;
  for(std::size_t i = 0; i != parts.size(); ++i) {
    const std::size_t c = color_of(parts[i]);
    const bool is_new = std::find(colors.begin(), colors.end(), c) == colors.end();
    if(groups.empty() || (is_new && colors.size() == part_group::most_colors)) {
      groups.push_back({{}, i, i});
      colors.clear();
    }
    if(colors.empty() || is_new) {
      colors.push_back(c);
      groups.back().accesses.push_back(access_to(c));
    }
    groups.back().last = i + 1;
  }
  return groups;
}

/// The part of the colors that is sent, or that messages write.
enum class color_part : unsigned char { owned, ghosts };

/// launch_message.hpp launches them.
template<class Channel>
struct message_end final : channel_user {
  static constexpr bool sends = std::is_same_v<Channel, channel_out>;

  /// `number`: of the field, or of whatever else the messages are for; to tell observers.
  message_end(field_state& f, color_part which, const exchange_plan::message& m,
    std::uint32_t channel, std::uint32_t number);
  /// The part of a group, when the memory may be used. The last one hands it over.
  void pack_or_unpack(const part_group& g);
  void channel_is_ready(std::byte* there) override;
  void begin(rondo::completion done);
  void begin_at_once(); ///< If the channel is ready.
  void start(); ///< As `begin`, without a completion: tells the joint exchange when it has ended.

  field_state& field;
  const exchange_plan::message& plan;
  Channel channel;
  region<message_end> as_region;
  std::vector<part_group> groups;
  std::byte* memory = nullptr;
  std::optional<rondo::completion> waiting;
  joint_exchange* joint = nullptr; ///< That it is a part of, or null.
};

extern template struct message_end<channel_in>;
extern template struct message_end<channel_out>;

} // namespace rondo::detail::inline distributed
