#pragma once

/// \file
/// A transport that hands all on to another one. Tests derive theirs from it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>

#include <rondo/distributed/transport.hpp>

class forwarding_transport : public rondo::transport {
public:
  explicit forwarding_transport(std::unique_ptr<rondo::transport> through)
      : through_(std::move(through)) {}

  [[nodiscard]] const char* name() const override { return "forwarding"; }
  [[nodiscard]] unsigned rank() const override { return through_->rank(); }
  [[nodiscard]] unsigned ranks() const override { return through_->ranks(); }
  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) override {
    return through_->make_sender(to, channel, from, done);
  }
  std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) override {
    return through_->make_receiver(from, channel, into, done);
  }
  bool poll() override { return through_->poll(); }
  [[nodiscard]] bool is_sending() const override { return through_->is_sending(); }
  void start_meeting() override { through_->start_meeting(); }
  bool has_met() override { return through_->has_met(); }
  [[noreturn]] void abort(int exit_code) override {
    through_->abort(exit_code);
    std::_Exit(exit_code);
  }

private:
  std::unique_ptr<rondo::transport> through_;
};
