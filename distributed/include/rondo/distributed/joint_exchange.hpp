#pragma once

/// \file
/// Messages that one launch sends and receives: "halo: exchange". To launch something takes longer than to pack a short message, so
/// a launch for each of them is too many.
///
/// Joint are short messages from and to the same colors. The launch reads what these own and writes a part of their ghosts: it has
/// sent before it waits, and ends when all has come. That takes nothing from anybody. A task that reads these ghosts reads what the
/// same color owns, so whoever writes that next has waited for the message in any case; and whoever has written it has waited for
/// the last readers of the ghosts, so what is sent is never kept back by what is to come.
///
/// Observers see messages one by one: where there are any, each has a launch as if there were no joint exchanges.
/// docs/protocols/channel.md

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <vector>

#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/message_end.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo::detail::inline distributed {

class field_state;

class joint_exchange {
public:
  /// Longer messages, in bytes, have launches of their own: several workers can pack them side by side.
  static constexpr std::size_t longest_message = 4096;
  static constexpr std::size_t most_messages = 32; ///< Each way.

  using outgoing = message_end<channel_out>;
  using incoming = message_end<channel_in>;

  /// There is at least one each way. They say from now on that they are joint.
  joint_exchange(field_state& f, std::uint32_t number, const std::vector<outgoing*>& out,
    const std::vector<incoming*>& in);
  ~joint_exchange() = default;
  joint_exchange(const joint_exchange&) = delete;
  joint_exchange& operator=(const joint_exchange&) = delete;

  void launch(flow& f, const std::source_location& where);
  /// One of its messages has been sent, or read.
  void end_one();

private:
  class body;

  /// The ends of one direction, and which of them the launch has not come to yet: a bit for each.
  template<class End>
  struct direction {
    std::vector<End*> ends;
    std::uint32_t left = 0;

    void begin_anew() { left = static_cast<std::uint32_t>((std::uint64_t{1} << ends.size()) - 1); }
    void go_as_far_as_possible();
    void begin(std::uint32_t which);
  };

  bool go_as_far_as_possible();
  void begin_anew();
  void end_later(rondo::completion done);
  void expect_next() const;

  region<joint_exchange> as_region_;
  std::vector<region_access> accesses_;
  // Of the launch that has as_region_.
  direction<outgoing> out_;
  direction<incoming> in_;
  std::optional<rondo::completion> waiting_;
  std::atomic<std::uint32_t> under_way_{
    0}; ///< Messages that have not called, and one as long as some may be added.
};

} // namespace rondo::detail::inline distributed
