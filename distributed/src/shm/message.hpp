#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "../remote/message.hpp"
#include "../row.hpp"
#include "../short_lock.hpp"
#include "lent.hpp"
#include "peer.hpp"

namespace rondo::detail::inline distributed {

class shm_transport;

/// To another rank of this node. A message that fits into the pipe is over as soon as it is started.
class shm_sender final : public remote_message {
public:
  shm_sender(shm_transport& t, outgoing& to, unsigned peer, std::uint32_t channel,
    const std::byte* data, std::size_t size, transport::completion done);
  /// In place.
  shm_sender(shm_transport& t, outgoing& to, unsigned peer, std::uint32_t channel,
    const lending_office::loan& where, std::size_t size, transport::completion done);
  ~shm_sender() override;

  bool start() override;
  bool give_up() override { return false; }
  [[nodiscard]] std::byte* memory() const override { return is_in_place() ? data_ : nullptr; }
  bool reclaim() override;

private:
  friend class row<shm_sender>;
  friend class outgoing;

  [[nodiscard]] bool is_in_place() const { return lends_.place != 0; }
  [[nodiscard]] lent_memory& lent() const;
  // To be said in the pipe: 0 if it is not in place.
  [[nodiscard]] std::uint64_t place() const { return lends_.place; }
  void lend() {
    if(is_in_place())
      lent().lend();
  }
  [[nodiscard]] bool has_all_back() const { return !is_in_place() || lent().is_back(); }

  shm_transport& transport_;
  outgoing& to_;
  const lending_office::loan lends_;
  pipe_out::message written_{};
  shm_sender* next_ = nullptr; ///< Of those that wait.
};

/// From another rank of this node.
class shm_receiver final : public locked_message<short_lock> {
public:
  shm_receiver(shm_transport& t, incoming& from, unsigned peer, std::uint32_t channel,
    std::byte* data, std::size_t size, transport::completion done); // in place: null
  ~shm_receiver() override;

  bool start() override;
  [[nodiscard]] std::byte* memory() const override {
    return borrowed_ != nullptr ? borrowed_->bytes() : own_.get();
  }
  void give_back() override;

private:
  void take_back() override;
  friend class row<shm_receiver>;
  friend class incoming;

  /// A message that has come.
  void borrow(lent_memory& m);
  /// For one that is not lent.
  std::byte* memory_of_its_own();

  shm_transport& transport_;
  incoming& from_;
  inbox& inbox_;
  const bool is_in_place_;
  std::unique_ptr<std::byte[]> own_; ///< If it is in place, and something was not.
  lent_memory* borrowed_ = nullptr;
  shm_receiver* next_ = nullptr; ///< Of those that wait in the inbox.
};

} // namespace rondo::detail::inline distributed
