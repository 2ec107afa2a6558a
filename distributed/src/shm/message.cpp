#include "message.hpp"

#include <cstring>
#include <mutex>
#include <utility>

#include "transport.hpp"

namespace rondo::detail::inline distributed {

shm_sender::shm_sender(shm_transport& t, outgoing& to, unsigned peer, std::uint32_t channel,
  const std::byte* data, std::size_t size, transport::completion done)
    // Never written to.
    : remote_message(true, peer, channel, const_cast<std::byte*>(data), size, done), transport_(t),
      to_(to) {}

shm_sender::shm_sender(shm_transport& t, outgoing& to, unsigned peer, std::uint32_t channel,
  const lending_office::loan& where, std::size_t size, transport::completion done)
    : remote_message(true, peer, channel, t.lent_at(where.place).bytes(), size, done),
      transport_(t), to_(to), lends_(where) {}

shm_sender::~shm_sender() {
  if(!is_in_place())
    return;
  const std::lock_guard lock(transport_.lock_);
  transport_.office_.drop(lends_);
}

lent_memory& shm_sender::lent() const { return transport_.lent_at(lends_.place); }

bool shm_sender::reclaim() {
  if(has_all_back())
    return true;
  to_.await(*this, transport_.messages_);
  return false;
}

bool shm_sender::start() { return to_.start(*this, transport_.messages_); }

shm_receiver::shm_receiver(shm_transport& t, incoming& from, unsigned peer, std::uint32_t channel,
  std::byte* data, std::size_t size, transport::completion done)
    : locked_message(t.lock_, t.messages_, false, peer, channel, data, size, done), transport_(t),
      from_(from), inbox_([&]() -> inbox& {
        const std::lock_guard lock(t.lock_);
        return from.use(channel);
      }()),
      is_in_place_(data == nullptr) {}

shm_receiver::~shm_receiver() {
  give_up();
  give_back();
  const std::lock_guard lock(transport_.lock_);
  from_.leave(inbox_);
}

void shm_receiver::borrow(lent_memory& m) {
  if(is_in_place_) {
    borrowed_ = &m;
    return;
  }
  if(length_ != 0)
    std::memcpy(data_, m.bytes(), length_);
  m.give_back();
}

std::byte* shm_receiver::memory_of_its_own() {
  if(is_in_place_ && own_ == nullptr) {
    own_ = std::make_unique_for_overwrite<std::byte[]>(size_);
    data_ = own_.get();
  }
  return data_;
}

void shm_receiver::give_back() {
  if(borrowed_ != nullptr)
    std::exchange(borrowed_, nullptr)->give_back();
}

bool shm_receiver::start() {
  give_back();
  const std::lock_guard lock(transport_.lock_);
  return from_.start(*this, transport_.messages_);
}

void shm_receiver::take_back() { from_.withdraw(*this); }

} // namespace rondo::detail::inline distributed
