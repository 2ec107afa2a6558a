#pragma once

#include <algorithm>
#include <atomic>
#include <map>

#include "channels.hpp"

namespace rondo::detail::inline distributed {

class local_message final : public transport::message {
public:
  using channels = std::map<local_channels::key, local_channel>;

  local_message(local_channels& all, channels::iterator channel, local_inbox& inbox,
    transport& aborts, bool sends, std::byte* data, std::size_t size, transport::completion done)
      : all_(all), channel_(channel), inbox_(inbox), aborts_(aborts), data_(data), size_(size),
        length_(size), done_(done), sends_(sends) {}
  ~local_message() override;

  void set_length(std::size_t bytes) override { length_ = std::min(bytes, size_); }
  void take_shorter() override { takes_shorter_ = true; }
  [[nodiscard]] std::size_t length() const override { return length_; }

  bool start() override;
  bool give_up() override { return !sends_ && withdraw(); }

private:
  friend class row<local_message>;
  friend class local_inbox;

  enum class place : unsigned char {
    nowhere, ///< Not under way.
    channel, ///< Waits for the other end.
    hands,   ///< Is being copied.
    inbox,   ///< Is over, but not told.
  };

  /// Returns true if it was under way; it is no longer.
  bool withdraw();

  local_channels& all_;
  channels::iterator channel_;
  local_inbox& inbox_;
  transport& aborts_;
  std::byte* data_;
  std::size_t size_;   ///< Of the memory.
  std::size_t length_; ///< The number of bytes that are sent, or have come.
  transport::completion done_;
  local_message* next_ = nullptr; ///< In the row it is in; its place's lock protects it.
  /// Changes from and to `channel` under the channel's lock, from and to `inbox` under that one's.
  std::atomic<place> place_{place::nowhere};
  bool sends_;
  bool takes_shorter_ = false;
};

} // namespace rondo::detail::inline distributed
