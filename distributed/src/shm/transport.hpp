#pragma once

/// \file
/// Messages between ranks of one node through memory that they share, and between nodes by another
/// transport: docs/protocols/shared_memory.md.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <rondo/distributed/transport.hpp>

#include "../remote/message.hpp"
#include "../short_lock.hpp"
#include "memory.hpp"
#include "peer.hpp"

namespace rondo::detail::inline distributed {

/// The ranks of a node, and what they share.
struct node {
  std::shared_ptr<node_memory> memory;
  std::vector<unsigned> ranks; ///< Of the program; here they have the numbers 0, 1, ...
  unsigned here = 0;           ///< This rank's.
};

class shm_transport final : public transport {
public:
  shm_transport(std::unique_ptr<transport> between_nodes, node n);
  ~shm_transport() override;

  [[nodiscard]] const char* name() const override { return "shm"; }
  [[nodiscard]] unsigned rank() const override { return outside_->rank(); }
  [[nodiscard]] unsigned ranks() const override { return outside_->ranks(); }
  [[nodiscard]] std::uint32_t most_channel() const override { return outside_->most_channel(); }

  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) override;
  std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) override;
  std::unique_ptr<message> make_sender_in_place(
    unsigned to, std::uint32_t channel, std::size_t bytes, completion done) override;
  std::unique_ptr<message> make_receiver_in_place(
    unsigned from, std::uint32_t channel, std::size_t bytes, completion done) override;

  bool poll() override;
  bool poll_patiently() override;
  [[nodiscard]] bool is_sending() const override {
    return messages_.is_sending() || outside_->is_sending();
  }

  [[nodiscard]] bool wakes() const override {
    return !uses_outside_.load(std::memory_order_relaxed) && !messages_.is_sending();
  }
  void rest(std::chrono::nanoseconds most) override;

  void start_meeting() override { outside_->start_meeting(); }
  bool has_met() override { return outside_->has_met(); }
  words_of_node tell_node(std::span<const std::byte> mine) override {
    return outside_->tell_node(mine);
  }
  [[nodiscard]] bool allows_mpi_beside_messages() const override {
    return outside_->allows_mpi_beside_messages();
  }
  void begin_mpi_beside_messages() override { outside_->begin_mpi_beside_messages(); }
  void enter_mpi() override { outside_->enter_mpi(); }
  void leave_mpi() override { outside_->leave_mpi(); }
  communicator mpi() override { return outside_->mpi(); }
  void tell_mismatches(mismatch_listener l) override;
  void abort(int exit_code) override { outside_->abort(exit_code); }

private:
  friend class shm_sender;
  friend class shm_receiver;

  outgoing& outgoing_to(unsigned number);
  incoming& incoming_from(unsigned number, unsigned rank);
  [[nodiscard]] lent_memory& lent_at(std::uint64_t place) const {
    return *reinterpret_cast<lent_memory*>(node_.memory->at(place));
  }

  /// A message, or one that is to be told of. Without the lock it is a hint.
  [[nodiscard]] bool has_come() const;
  template<class F>
  void each_source(F&& f) const {
    for(incoming* i = sources_.load(std::memory_order_acquire); i != nullptr; i = i->other)
      f(*i);
  }
  /// Its number on this node, or `elsewhere`.
  [[nodiscard]] unsigned here(unsigned rank) const;
  static constexpr auto elsewhere = unsigned(-1);
  /// Shorter ones are in the cell that says that there is a message.
  static constexpr std::size_t least_in_place = pipe_memory::short_bytes + 1;

  std::unique_ptr<transport> outside_;
  const node node_;
  std::atomic<bool> uses_outside_{false}; ///< There is, or was, a message of it.

  short_lock lock_; ///< Of what follows.
  remote_messages messages_;
  lending_office office_;
  std::map<unsigned, outgoing> outgoing_; ///< By their numbers on this node.
  std::map<unsigned, incoming> incoming_;
  /// All of them, one behind the other, to look at again and again: any thread.
  std::atomic<incoming*> sources_{nullptr};
};

} // namespace rondo::detail::inline distributed
