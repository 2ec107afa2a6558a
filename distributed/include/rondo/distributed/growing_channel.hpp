#pragma once

/// \file
/// Streams of messages of any lengths from one rank to another: channels that are replaced by larger ones.
///
/// *Protocol.* Both ends begin with a channel of the same capacity. Each message begins with a word of 8 bytes. It is 0, and what is sent
/// follows; or it is a capacity, and nothing follows: then this was the last message of this channel, and all that comes later
/// comes on the next one, which has that capacity. Only the sender decides, and the receiver learns of it in the order of
/// messages, so nobody is asked and nothing can overtake. As a capacity is four times the one before at least, a dozen numbers of channels
/// are enough for messages of any length; all ranks take them when the field is made. As long as messages fit, and those that are shorter do, nothing is
/// made any more.
///
/// The channels of before are kept until the end: what was sent on them may still be under way.
///
/// One launch at a time uses an end, as of channel.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <rondo/distributed/channel.hpp>

namespace rondo {

class scheduler;

namespace detail::inline distributed {

/// The numbers of a channel and of all that may replace it. Made in the same order on all ranks.
class growing_channel_numbers {
public:
  static constexpr std::size_t most = 12;

  explicit growing_channel_numbers(scheduler& s);
  ~growing_channel_numbers();
  growing_channel_numbers(const growing_channel_numbers&) = delete;
  growing_channel_numbers& operator=(const growing_channel_numbers&) = delete;

  /// Throws std::length_error if there are no more.
  [[nodiscard]] std::uint32_t of(std::size_t replaced) const;

private:
  scheduler& home_;
  std::array<std::uint32_t, most> all_;
};

/// How an end is made: the same at both of them, but for the peer.
struct growing_channel_options {
  message_poller& messages;
  const growing_channel_numbers& numbers; ///< Stay.
  unsigned peer;
  std::size_t capacity; ///< Of the first one, without its word.
};

class growing_out final : channel_user {
public:
  /// Gets memory for so many bytes, now or later, and then calls `send`.
  class user {
  public:
    virtual void has_room(std::byte* memory) = 0;

  protected:
    ~user() = default;
  };

  explicit growing_out(const growing_channel_options& o);
  void begin(std::size_t bytes, user& u);
  void send();

private:
  void channel_is_ready(std::byte* memory) override;
  /// Returns false if it was only said that there is a larger channel.
  bool use(std::byte* memory);

  message_poller& messages_;
  const growing_channel_numbers& numbers_;
  std::vector<std::unique_ptr<channel_out>> channels_; ///< The last one is in use.
  std::size_t bytes_ = 0;                              ///< Of what is to be sent.
  user* user_ = nullptr;
};

class growing_in final : channel_user {
public:
  /// Gets a message, now or later; when it was read it is to call `end`.
  class user {
  public:
    virtual void has_come(std::span<const std::byte> message) = 0;

  protected:
    ~user() = default;
  };

  explicit growing_in(const growing_channel_options& o);
  void begin(user& u);
  void end() { channels_.back()->end(); }

private:
  void channel_is_ready(std::byte* memory) override;
  bool use(const std::byte* memory);

  message_poller& messages_;
  const growing_channel_numbers& numbers_;
  std::vector<std::unique_ptr<channel_in>> channels_; ///< The last one is in use.
  user* user_ = nullptr;
};

} // namespace detail::inline distributed
} // namespace rondo
