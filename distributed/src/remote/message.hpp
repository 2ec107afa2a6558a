#pragma once

/// \file
/// What messages to other processes have in common, whatever library they go through.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

class remote_message : public transport::message {
public:
  enum class state : unsigned char {
    idle,
    not_asked, ///< Under way, but nobody looks for it.
    under_way,
    over, ///< But not told yet.
  };

  remote_message(bool sends, unsigned peer, std::uint32_t channel, std::byte* data,
    std::size_t size, transport::completion done)
      : data_(data), size_(size), length_(size), done_(done), channel_(channel), peer_(peer),
        sends_(sends) {}

  void set_length(std::size_t bytes) override { length_ = std::min(bytes, size_); }
  void take_shorter() final { takes_shorter_ = true; }
  [[nodiscard]] std::size_t length() const final { return length_; }

protected:
  friend class remote_messages;

  /// Whether so many bytes may be received here; then that is its length.
  [[nodiscard]] bool take_length(std::size_t bytes) {
    if(bytes != size_ && (!takes_shorter_ || bytes > size_))
      return false;
    length_ = bytes;
    return true;
  }

  std::byte* data_;
  std::size_t size_;   ///< Of the memory.
  std::size_t length_; ///< The number of bytes that are sent, or have come.
  transport::completion done_;
  std::uint32_t channel_;
  unsigned peer_;
  bool sends_;
  bool takes_shorter_ = false;
  state state_ = state::idle; ///< Protected by the transport's lock.
};

/// The messages of a transport that are under way, or over but not told yet. `start`, `end` and `forget` under the
/// transport's lock.
class remote_messages {
public:
  /// Looks, by `look()` under the transport's lock, unless another thread does so just now, and tells of what is over. Returns
  /// whether there was anything to tell.
  template<class Lock, class Look>
  bool poll(Lock& of_transport, const Look& look) {
    completions taken; // NOLINT: filled up to n
    std::size_t n = 0;
    {
      const std::unique_lock lock(of_transport, std::try_to_lock);
      if(!lock.owns_lock())
        return false;
      look();
      if(has_any())
        n = take(taken);
    }
    for(std::size_t i = 0; i != n; ++i)
      taken[i].call(taken[i].self);
    return n != 0;
  }

  void start(remote_message& m) {
    m.state_ = remote_message::state::under_way;
    if(m.sends_)
      sending_.fetch_add(1, std::memory_order_relaxed);
  }

  void end(remote_message& m) {
    m.state_ = remote_message::state::over;
    over_.push_back(&m);
    has_any_.store(true, std::memory_order_relaxed);
  }

  /// Is not told any more.
  void forget(remote_message& m) {
    m.state_ = remote_message::state::idle;
    std::erase(over_, &m);
    has_any_.store(!over_.empty(), std::memory_order_relaxed);
  }

  [[nodiscard]] bool has_any() const { return has_any_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_sending() const { return sending_.load(std::memory_order_relaxed) != 0; }

private:
  static constexpr std::size_t batch = 32;
  using completions = std::array<transport::completion, batch>;

  /// Copies what is to be told: as soon as the lock is gone, the messages may be, too.
  std::size_t take(completions& into) {
    const std::size_t n = std::min(batch, over_.size());
    for(std::size_t i = 0; i != n; ++i) {
      remote_message& m = *over_[i];
      into[i] = m.done_;
      m.state_ = remote_message::state::idle;
      if(m.sends_)
        sending_.fetch_sub(1, std::memory_order_relaxed);
    }
    over_.erase(over_.begin(), over_.begin() + std::ptrdiff_t(n));
    has_any_.store(!over_.empty(), std::memory_order_relaxed);
    return n;
  }

  std::vector<remote_message*> over_;
  std::atomic<bool> has_any_{false};
  std::atomic<std::size_t> sending_{0}; ///< Under way or not told yet.
};

/// A message whose state is changed under the transport's lock.
template<class Lock>
class locked_message : public remote_message {
public:
  locked_message(Lock& lock, remote_messages& all, bool sends, unsigned peer, std::uint32_t channel,
    std::byte* data, std::size_t size, transport::completion done)
      : remote_message(sends, peer, channel, data, size, done), lock_(lock), all_(all) {}

  bool give_up() final {
    if(sends_)
      return false;
    const std::lock_guard lock(lock_);
    if(state_ == state::idle)
      return false;
    if(state_ != state::over)
      take_back();
    all_.forget(*this);
    return true;
  }

private:
  /// Ends the receive, which is under way and perhaps not asked for, at the latest with the message. Under the lock.
  virtual void take_back() = 0;

  Lock& lock_;
  remote_messages& all_;
};

} // namespace rondo::detail::inline distributed
