#pragma once

/// \file
/// Streams of messages from one rank to another, with memory for more than one, so that packing,
/// sending, receiving and unpacking overlap.
///
/// A channel has a capacity, which its messages fill as a rule: then nothing about them ever
/// changes. If messages are shorter from time to time the end that receives is made for that, and the
/// one that sends says with each how long it is.
///
/// One launch at a time uses an end of a channel: the next one waits for it, since both write the
/// same region. So at most one launch waits here.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <rondo/core/executor.hpp>
#include <rondo/core/observed_task.hpp>
#include <rondo/distributed/transport.hpp>

namespace rondo {

class flow;

namespace detail::inline distributed {

class channel_end;
class channel_out;
class divergence_check;

/// Lets the workers of an executor see to messages while somebody waits for some.
class message_poller final : public poller {
public:
  /// If a task of the flow fails, other ranks may wait for ever for what it would have led to: all end. If ranks launch
  /// different tasks, these may not even fail: the check sees that. Null if there is none. Workers may poll before this
  /// returns, so both are known by then.
  message_poller(
    executor& ex, transport& t, const flow* watched = nullptr, divergence_check* check = nullptr);
  ~message_poller() override { ex_.detach(*this); }
  message_poller(const message_poller&) = delete;
  message_poller& operator=(const message_poller&) = delete;

  /// Any thread.
  void poll() noexcept override { poll_as(&transport::poll); }
  void poll_patiently() noexcept override { poll_as(&transport::poll_patiently); }
  [[nodiscard]] bool wakes() const noexcept override { return transport_.wakes(); }
  void rest(std::chrono::nanoseconds most) noexcept override { transport_.rest(most); }
  void want() { poller::want(ex_); }
  void stop_wanting() { poller::stop_wanting(ex_); }

  /// Messages and bytes sent so far, by ends that are there or were.
  struct traffic {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] traffic sent() const;
  void add(const channel_out& c);
  void remove(const channel_out& c);

  /// Tells observers of a message of this end.
  void tell(const channel_end& end, message_info::what_type what, std::size_t bytes) const;
  [[nodiscard]] bool is_observed() const { return engine_of(ex_).observed(); }

  [[nodiscard]] transport& messages() const { return transport_; }
  [[nodiscard]] executor& home() const { return ex_; }

private:
  void poll_as(bool (transport::*how)());

  executor& ex_;
  transport& transport_;
  const flow* const flow_;
  divergence_check* const check_;
  mutable std::mutex mutex_; ///< Of what follows.
  std::vector<const channel_out*> senders_;
  traffic before_; ///< Sent by those that are not there any more.
};

/// Somebody who needs memory of a channel, and gets it now or later.
class channel_user {
public:
  virtual void channel_is_ready(std::byte* memory) = 0;

protected:
  ~channel_user() = default;
};

/// The part that both ends have in common: messages that are used one after the other.
/// docs/protocols/channel.md
class channel_end {
public:
  channel_end(const channel_end&) = delete;
  channel_end& operator=(const channel_end&) = delete;
  /// Of a message, at most; in bytes.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  /// The same at both ends; and the rank at the other one.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] unsigned peer() const { return peer_; }
  /// The next message's memory may be used at once. For the code that uses this end.
  [[nodiscard]] bool is_ready() {
    // Acquire: what has been received, or that what was there has been sent.
    if(slots_[next_].owner.load(std::memory_order_acquire) == ours)
      return true;
    has_waited_ = true;
    if(slots_[next_].owner.load(std::memory_order_relaxed) == lent)
      return reclaim();
    if(idle_ != nullptr) {
      start_idle();
      if(slots_[next_].owner.load(std::memory_order_acquire) == ours)
        return true;
    }
    return !slots_[next_].is_asked && ask();
  }
  /// It, if that is so.
  [[nodiscard]] std::byte* memory() const { return slots_[next_].place(); }

protected:
  static constexpr unsigned most_messages = 2;
  /// The owner of a message's memory.
  enum : std::uintptr_t {
    ours = 0,
    under_way = 1,
    nobodys = 2, ///< It is to be started, but there is something better to do.
    lent =
      4, ///< Sent in place: ours when the receiver has read it, which is asked when it is needed.
    // Other numbers: the message is under way, and the channel_user at that address is told when it is not.
  };
  struct slot {
    channel_end* of = nullptr;
    std::unique_ptr<std::byte[]> memory; ///< Null if the transport has it.
    std::unique_ptr<transport::message> message;
    std::size_t sent = 0; ///< Bytes of it, if it is to be sent.
    bool is_told = false; ///< Observers know already that it is over.
    bool is_asked = true; ///< For what is received: by its user, who alone looks at this.
    std::atomic<std::uintptr_t> owner{ours};

    [[nodiscard]] bool is_in_place() const { return memory == nullptr; }
    [[nodiscard]] std::byte* place() const {
      return is_in_place() ? message->memory() : memory.get();
    }
  };

  channel_end(message_poller& n, unsigned peer, std::uint32_t number, std::size_t capacity);
  ~channel_end() = default;

  /// The next message's memory, or null: `user` is told when it may be used.
  std::byte* take(channel_user& user);
  static void ended(void* s);
  /// The message in use is done with; the next one is used.
  slot& pass_on();
  template<class Make>
  void make_messages(const Make& make);
  void start(slot& s);
  void start_idle();
  bool reclaim();
  bool ask();

  // For observers.
  void note_who_waits();
  void tell_over(const slot& s) const;

  message_poller& messages_;
  const std::size_t capacity_;
  const std::uint32_t number_;
  const unsigned peer_;
  std::array<slot, most_messages> slots_;
  unsigned used_ = most_messages; ///< So many of them.
  unsigned next_ = 0;             ///< Written by the code that uses the channel.
  slot* idle_ = nullptr;          ///< One that is `nobodys`. The same.
  bool has_waited_ = false;       ///< The one that is next was not there yet. The same.
  bool polls_for_all_ = false;    ///< Not only while somebody waits.
  task_info who_waits_{};         ///< Or has waited last, where somebody observes. The same.
};

class channel_out : public channel_end {
public:
  channel_out(message_poller& n, unsigned to, std::uint32_t number, std::size_t capacity);
  /// Returns when all has been sent.
  ~channel_out();
  /// Memory for the next message, or null: `user` gets it later.
  std::byte* begin(channel_user& user) { return take(user); }
  /// Sends what was written there: all of it.
  void send();
  /// Only so many bytes. One end sends all its messages in this way, or none.
  void send(std::size_t length);
  /// The other end is done with the memory of the next message, as far as is known, and something will be written there soon.
  void expect_use() const;
  /// Messages so far, and their bytes. Any thread.
  [[nodiscard]] std::uint64_t sent() const { return sent_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes_sent() const {
    // Acquire: the messages that these bytes are missing in are counted already.
    const std::uint64_t left_out = left_out_.load(std::memory_order_acquire);
    return sent() * capacity() - left_out;
  }

private:
  std::atomic<std::uint64_t> sent_{0};     ///< Written by the code that uses the channel.
  std::atomic<std::uint64_t> left_out_{0}; ///< Bytes that messages were shorter. The same.
};

class channel_in : public channel_end {
public:
  enum class lengths : unsigned char { all_the_same, up_to_capacity };
  channel_in(message_poller& n, unsigned from, std::uint32_t number, std::size_t capacity,
    lengths of = lengths::all_the_same);
  /// The next message, or null: `user` gets it when it is there.
  std::byte* begin(channel_user& user) { return take(user); }
  /// Of that message.
  [[nodiscard]] std::size_t length() const { return slots_[next_].message->length(); }
  /// It has been read. Its memory is for the one after the next. If this one was waited for, others wait
  /// for what it has brought; so that is seen to when the next one is waited for.
  void end();
};

} // namespace detail::inline distributed
} // namespace rondo
