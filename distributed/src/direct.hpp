#pragma once

/// \file
/// Messages that a thread waits for: before there is a scheduler, after it, or while all ranks make something together. They travel on the
/// one channel that no scheduler uses.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

constexpr std::uint32_t direct_channel = 0; // those of a scheduler begin with 1

class message_poller;

/// A transport, and who polls it while a thread waits.
struct polled_transport {
  // NOLINTNEXTLINE(google-explicit-constructor): where there is no scheduler it is the transport
  polled_transport(transport& t, message_poller* poller = nullptr) : over(t), by(poller) {}

  transport& over;
  message_poller* by; ///< Of a scheduler: it looks whether all ranks do the same. Null without one.
};

/// Messages that are under way at the same time, to any ranks and from any.
class direct_messages {
public:
  explicit direct_messages(polled_transport over) : over_(over) {}

  /// Both return at once; the memory is left alone until `wait` has returned.
  void send(unsigned to, std::span<const std::byte> what);
  /// A message of just that size.
  void receive(unsigned from, std::span<std::byte> into);
  /// For all of them. Called once, at the end.
  void wait();

private:
  struct under_way {
    std::atomic<bool> is_done{false};
    std::unique_ptr<transport::message> message;
  };
  static transport::completion end_of(under_way& m);
  static void start(under_way& m);

  polled_transport over_;
  std::deque<under_way> all_;
};

/// One message, which has left, or has come, when they return.
void send(polled_transport over, unsigned to, std::span<const std::byte> what);
void receive(polled_transport over, unsigned from, std::span<std::byte> into);

/// What all ranks say, on rank 0, in the order of ranks; elsewhere nothing. All ranks call it. Half of the ranks send what they have
/// to the other half, and so on: log2(ranks) steps.
std::vector<std::vector<std::byte>> collect_on_first(transport& t, std::span<const std::byte> own);

/// Rank 0 tells all others; returns what it says. All ranks call it. log2(ranks) steps.
std::int64_t told_by_first(transport& t, std::int64_t own);

} // namespace rondo::detail::inline distributed
