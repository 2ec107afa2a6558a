#pragma once

#include <cstddef>
#include <cstdint>

#include "../remote/message.hpp"
#include "../row.hpp"
#include "peer.hpp"

namespace rondo::detail::inline distributed {

class shm_transport;

/// To another rank of this node. What fits into the pipe is over as soon as it is started.
class shm_sender final : public remote_message {
public:
  shm_sender(shm_transport& t, outgoing& to, unsigned peer, std::uint32_t channel,
    const std::byte* data, std::size_t size, transport::completion done);

  bool start() override;
  bool give_up() override { return false; }

private:
  friend class row<shm_sender>;
  friend class outgoing;

  shm_transport& transport_;
  outgoing& to_;
  pipe_out::message written_{};
  shm_sender* next_ = nullptr; ///< Of those that wait for room.
};

/// From another rank of this node.
class shm_receiver final : public remote_message {
public:
  shm_receiver(shm_transport& t, incoming& from, unsigned peer, std::uint32_t channel,
    std::byte* data, std::size_t size, transport::completion done);
  ~shm_receiver() override;

  bool start() override;
  bool give_up() override;

private:
  friend class row<shm_receiver>;
  friend class incoming;

  shm_transport& transport_;
  incoming& from_;
  inbox& box_;
  shm_receiver* next_ = nullptr; ///< Of those that wait in the box.
};

} // namespace rondo::detail::inline distributed
