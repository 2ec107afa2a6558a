#pragma once

/// \file
/// Messages over UCX, without MPI in between. Idle threads can sleep until one arrives.
///
/// UCX is entered by one thread at a time. Messages to the own rank never see it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/distributed/transport.hpp>

#include "../local/channels.hpp"
#include "../progress_lock.hpp"
#include "../remote/message.hpp"
#include "worker.hpp"

namespace rondo::detail::inline distributed {

class ucx_message;

class ucx_transport final : public transport {
public:
  explicit ucx_transport(const communicator& of);
  ~ucx_transport() override;

  [[nodiscard]] const char* name() const override { return "ucx"; }
  [[nodiscard]] unsigned rank() const override { return worker_.world.rank; }
  [[nodiscard]] unsigned ranks() const override { return worker_.world.ranks; }

  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) override;
  std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) override;

  bool poll() override;
  [[nodiscard]] bool is_sending() const override;

  [[nodiscard]] int wake_descriptor() const override { return wake_descriptor_; }
  bool arm() override;

  void start_meeting() override;
  bool has_met() override;
  words_of_node tell_node(std::span<const std::byte> mine) override {
    return worker_.world.tell_node(mine);
  }
  /// Messages are not those of MPI; but it is called while ranks make each other's acquaintance.
  [[nodiscard]] bool allows_mpi_beside_messages() const override {
    return worker_.world.supports_all_threads;
  }
  void begin_mpi_beside_messages() override { worker_.world.make_theirs(); }
  void enter_mpi() override;
  communicator mpi() override { return worker_.world.for_users(); }
  void abort(int exit_code) override { worker_.world.abort(exit_code); }

private:
  friend class ucx_message;

  /// In round i each rank hears of 2^i others, and tells as many: after all rounds it has heard of
  /// all.
  struct round {
    std::unique_ptr<message> tells;
    std::unique_ptr<message> hears;
  };

  /// Addresses that are under way, and what waits for them. Under the lock.
  void look_for_addresses();
  /// If somebody sleeps: there are addresses to be looked for, which wake nobody.
  void wake_to_look();
  void make_rounds();
  void start_round();

  ucx_worker worker_;
  local_channels self_{1, worker_.world.rank}; ///< From this rank to this rank.

  progress_lock lock_; ///< Around UCX and what follows.
  remote_messages messages_;
  std::vector<ucx_message*> unaddressed_; ///< Started, to ranks whose addresses are not there yet.

  int wake_descriptor_ = -1;
  std::atomic<bool> is_armed_{false}; ///< Somebody may sleep.

  std::vector<round> rounds_;
  std::size_t round_ = 0;
  std::atomic<int> awaited_{0}; ///< Messages of this round.
};

} // namespace rondo::detail::inline distributed
