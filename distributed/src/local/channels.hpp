#pragma once

/// \file
/// Messages inside one process: between ranks that are threads, and from a rank to itself.
///
/// Nothing is stored: a message waits in its channel until the other end is started, by whom it is
/// then copied. Its `done` waits in the inbox of its rank until that polls.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include <rondo/distributed/transport.hpp>

#include "../row.hpp"
#include "../short_lock.hpp"

namespace rondo::detail::inline distributed {

class local_message;

/// What waits for its other end: either messages to be sent or those that receive, never both.
struct local_channel {
  short_lock lock;
  row<local_message> waiting;
  unsigned uses = 0; ///< Messages that were made for it; the lock of all channels protects it.
};

/// What is over on one rank, but not told yet.
class local_inbox {
public:
  void push(local_message& m);
  bool remove(local_message& m);
  bool poll();

  [[nodiscard]] bool is_empty() const { return size_.load(std::memory_order_acquire) == 0; }
  [[nodiscard]] bool is_sending() const { return sending.load(std::memory_order_relaxed) != 0; }

  std::atomic<std::size_t> sending{0}; ///< Under way or not told yet.
  /// Called, if set, when something has come into the empty inbox.
  transport::completion on_arrival{nullptr, nullptr};

private:
  static constexpr std::size_t batch = 16;

  void set_size(std::size_t n) { size_.store(n, std::memory_order_release); }

  short_lock lock_;
  row<local_message> over_;
  std::atomic<std::size_t> size_{0}; ///< Written under the lock.
};

/// All channels between some ranks.
class local_channels {
public:
  using key = std::tuple<unsigned, unsigned, std::uint32_t>; ///< from, to, channel

  /// Of `ranks` ranks, `first` being the first.
  explicit local_channels(unsigned ranks, unsigned first = 0) : inboxes_(ranks), first_(first) {}

  [[nodiscard]] local_inbox& inbox(unsigned rank) { return inboxes_[rank - first_]; }
  [[nodiscard]] const local_inbox& inbox(unsigned rank) const { return inboxes_[rank - first_]; }

  /// `aborts` is told of mistakes.
  std::unique_ptr<transport::message> make_sender(
    transport& aborts, const key& k, std::span<const std::byte> from, transport::completion done);
  std::unique_ptr<transport::message> make_receiver(
    transport& aborts, const key& k, std::span<std::byte> into, transport::completion done);

  /// A meeting of all ranks: says which one it is; it is over when others have begun.
  std::size_t join_meeting();
  [[nodiscard]] bool is_over(std::size_t meeting) const {
    return meetings_.load(std::memory_order_acquire) != meeting;
  }

private:
  friend class local_message;

  std::map<key, local_channel>::iterator use(const key& k);
  void leave(std::map<key, local_channel>::iterator channel);

  std::mutex mutex_;
  std::map<key, local_channel> channels_;
  std::deque<local_inbox> inboxes_;
  unsigned first_;
  unsigned present_ = 0;
  std::atomic<std::size_t> meetings_{0};
};

} // namespace rondo::detail::inline distributed
