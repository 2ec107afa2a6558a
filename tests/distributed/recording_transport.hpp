#pragma once

/// \file
/// Ranks in this process that write down what they send, so that a test can ask which messages a program
/// leads to.

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <rondo/distributed/transports.hpp>

#include "forwarding_transport.hpp"

/// A message as it was sent.
struct sent_message {
  unsigned to;
  std::size_t bytes;

  auto operator<=>(const sent_message&) const = default;
};

class recording_transport : public forwarding_transport {
public:
  using forwarding_transport::forwarding_transport;

  /// Messages that are made from now on: those of before are the scheduler's own, which compare, now and then,
  /// what ranks have launched.
  void begin() { is_recording_ = true; }
  /// All since the last call, in the order in which they were started.
  std::vector<sent_message> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(sent_, {});
  }

  [[nodiscard]] const char* name() const override { return "recording"; }
  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) override {
    return std::make_unique<recorded>(*this, sent_message{to, from.size()}, is_recording_,
      forwarding_transport::make_sender(to, channel, from, done));
  }

private:
  class recorded final : public message {
  public:
    recorded(recording_transport& by, const sent_message& what, bool is_recorded,
      std::unique_ptr<message> is)
        : by_(by), what_(what), is_recorded_(is_recorded), is_(std::move(is)) {}
    bool start() override {
      if(is_recorded_) {
        const std::lock_guard lock(by_.mutex_);
        by_.sent_.push_back(what_);
      }
      return is_->start();
    }
    bool give_up() override { return is_->give_up(); }
    void set_length(std::size_t bytes) override {
      what_.bytes = bytes;
      is_->set_length(bytes);
    }
    void take_shorter() override { is_->take_shorter(); }
    [[nodiscard]] std::size_t length() const override { return is_->length(); }

  private:
    recording_transport& by_;
    sent_message what_;
    const bool is_recorded_;
    std::unique_ptr<message> is_;
  };

  std::atomic<bool> is_recording_{false};
  std::mutex mutex_;
  std::vector<sent_message> sent_;
};
