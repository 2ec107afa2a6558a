#include "message.hpp"

#include <mutex>

#include "transport.hpp"

namespace rondo::detail::inline distributed {

shm_sender::shm_sender(shm_transport& t, outgoing& to, unsigned peer, std::uint32_t channel,
  const std::byte* data, std::size_t size, transport::completion done)
    // Never written to.
    : remote_message(true, peer, channel, const_cast<std::byte*>(data), size, done), transport_(t),
      to_(to) {}

bool shm_sender::start() { return to_.start(*this, transport_.messages_); }

shm_receiver::shm_receiver(shm_transport& t, incoming& from, unsigned peer, std::uint32_t channel,
  std::byte* data, std::size_t size, transport::completion done)
    : remote_message(false, peer, channel, data, size, done), transport_(t), from_(from),
      box_([&]() -> inbox& {
        const std::lock_guard lock(t.lock_);
        return from.use(channel);
      }()) {}

shm_receiver::~shm_receiver() {
  give_up();
  const std::lock_guard lock(transport_.lock_);
  from_.leave(box_);
}

bool shm_receiver::start() {
  const std::lock_guard lock(transport_.lock_);
  return from_.start(*this, transport_.messages_);
}

bool shm_receiver::give_up() {
  const std::lock_guard lock(transport_.lock_);
  if(state_ == state::idle)
    return false;
  if(state_ == state::under_way)
    from_.withdraw(*this);
  transport_.messages_.forget(*this);
  return true;
}

} // namespace rondo::detail::inline distributed
