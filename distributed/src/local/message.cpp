#include "message.hpp"

#include <cstring>
#include <mutex>

#include <sched.h>

#include "../mismatch.hpp"

namespace rondo::detail::inline distributed {

local_message::~local_message() {
  if(withdraw() && sends_)
    inbox_.sending.fetch_sub(1, std::memory_order_relaxed);
  all_.leave(channel_);
}

bool local_message::start() {
  local_message* other = nullptr;
  {
    local_channel& c = channel_->second;
    const std::lock_guard lock(c.lock);
    other = c.waiting.front();
    if(other == nullptr || other->sends_ == sends_) {
      c.waiting.push(*this);
      place_.store(place::channel, std::memory_order_relaxed);
      if(sends_)
        inbox_.sending.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    c.waiting.pop();
    other->place_.store(place::hands, std::memory_order_relaxed);
  }
  // Both are in our hands now, and a long copy holds up nobody else.
  local_message& from = sends_ ? *this : *other;
  local_message& to = sends_ ? *other : *this;
  if(from.length_ != to.size_ && (!to.takes_shorter_ || from.length_ > to.size_)) {
    const auto& [rank, to_rank, channel] = channel_->first;
    end_by_mismatch(to.aborts_, rank, channel, from.length_, to.size_);
    other->place_.store(place::nowhere, std::memory_order_release);
    return false; // neither will ever end
  }
  if(from.length_ != 0)
    std::memcpy(to.data_, from.data_, from.length_);
  to.length_ = from.length_;
  other->inbox_.push(*other);
  return true;
}

bool local_message::withdraw() {
  for(;; sched_yield()) {
    {
      local_channel& c = channel_->second;
      const std::lock_guard lock(c.lock);
      if(place_.load(std::memory_order_relaxed) == place::channel) {
        c.waiting.remove(*this);
        place_.store(place::nowhere, std::memory_order_relaxed);
        return true;
      }
    }
    // Acquire: with the release where it came into the inbox.
    switch(place_.load(std::memory_order_acquire)) {
    case place::nowhere:
      return false;
    case place::inbox:
      return inbox_.remove(*this);
    default:
      break; // soon in the inbox
    }
  }
}

} // namespace rondo::detail::inline distributed
