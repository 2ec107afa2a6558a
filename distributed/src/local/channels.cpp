#include "channels.hpp"

#include "message.hpp"

namespace rondo::detail::inline distributed {

void local_inbox::push(local_message& m) {
  std::size_t size = 0;
  {
    const std::lock_guard lock(lock_);
    over_.push(m);
    // Release: what was copied, for give_up(), which looks without the lock.
    m.place_.store(local_message::place::inbox, std::memory_order_release);
    size = size_.load(std::memory_order_relaxed);
    set_size(size + 1);
  }
  if(size == 0 && on_arrival.call != nullptr)
    on_arrival.call(on_arrival.self);
}

bool local_inbox::remove(local_message& m) {
  const std::lock_guard lock(lock_);
  if(m.place_.load(std::memory_order_relaxed) != local_message::place::inbox)
    return false;
  over_.remove(m);
  m.place_.store(local_message::place::nowhere, std::memory_order_relaxed);
  set_size(size_.load(std::memory_order_relaxed) - 1);
  return true;
}

bool local_inbox::poll() {
  if(is_empty())
    return false;
  // Copied: as soon as the lock is gone, the messages may be, too.
  std::array<transport::completion, batch> taken; // NOLINT: filled up to n
  std::size_t n = 0;
  {
    const std::unique_lock lock(lock_, std::try_to_lock);
    if(!lock.owns_lock())
      return false;
    for(; n != batch && over_.front() != nullptr; ++n) {
      local_message& m = over_.pop();
      taken[n] = m.done_;
      if(m.sends_)
        sending.fetch_sub(1, std::memory_order_relaxed);
      m.place_.store(local_message::place::nowhere, std::memory_order_relaxed);
    }
    set_size(size_.load(std::memory_order_relaxed) - n);
  }
  for(std::size_t i = 0; i != n; ++i)
    taken[i].call(taken[i].self);
  return n != 0;
}

std::map<local_channels::key, local_channel>::iterator local_channels::use(const key& k) {
  const std::lock_guard lock(mutex_);
  const auto channel = channels_.try_emplace(k).first;
  ++channel->second.uses;
  return channel;
}

void local_channels::leave(std::map<key, local_channel>::iterator channel) {
  const std::lock_guard lock(mutex_);
  if(--channel->second.uses == 0)
    channels_.erase(channel);
}

std::unique_ptr<transport::message> local_channels::make_sender(
  transport& aborts, const key& k, std::span<const std::byte> from, transport::completion done) {
  // Never written to.
  auto* const data = const_cast<std::byte*>(from.data());
  return std::make_unique<local_message>(
    *this, use(k), inbox(std::get<0>(k)), aborts, true, data, from.size(), done);
}

std::unique_ptr<transport::message> local_channels::make_receiver(
  transport& aborts, const key& k, std::span<std::byte> into, transport::completion done) {
  return std::make_unique<local_message>(
    *this, use(k), inbox(std::get<1>(k)), aborts, false, into.data(), into.size(), done);
}

std::size_t local_channels::join_meeting() {
  const std::lock_guard lock(mutex_);
  const std::size_t meeting = meetings_.load(std::memory_order_relaxed);
  if(++present_ == inboxes_.size()) {
    present_ = 0;
    // Release: all that the ranks did before they came.
    meetings_.store(meeting + 1, std::memory_order_release);
  }
  return meeting;
}

} // namespace rondo::detail::inline distributed
