#include <rondo/distributed/growing_channel.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <rondo/distributed/scheduler.hpp>

namespace rondo::detail::inline distributed {

namespace {
using word = std::uint64_t;
constexpr std::size_t growth = 4;
} // namespace

growing_channel_numbers::growing_channel_numbers(scheduler& s) : home_(s) {
  std::size_t taken = 0;
  try {
    for(; taken != most; ++taken)
      all_[taken] = s.new_channel();
  }
  catch(...) { // there are not as many
    while(taken != 0)
      s.give_back_channel(all_[--taken]);
    throw;
  }
}

growing_channel_numbers::~growing_channel_numbers() {
  for(const std::uint32_t n : all_)
    home_.give_back_channel(n);
}

std::uint32_t growing_channel_numbers::of(std::size_t replaced) const {
  if(replaced >= most)
    throw std::length_error("rondo: a message between two ranks is too long; use more ranks");
  return all_[replaced];
}

// ---- sending -----------------------------------------------------------------------------------

growing_out::growing_out(const growing_channel_options& o)
    : messages_(o.messages), numbers_(o.numbers) {
  channels_.push_back(
    std::make_unique<channel_out>(messages_, o.peer, numbers_.of(0), sizeof(word) + o.capacity));
}

void growing_out::begin(std::size_t bytes, user& u) {
  bytes_ = bytes;
  user_ = &u;
  std::byte* memory = nullptr;
  do
    memory = channels_.back()->begin(*this);
  while(memory != nullptr && !use(memory));
}

void growing_out::channel_is_ready(std::byte* memory) {
  if(!use(memory))
    begin(bytes_, *user_);
}

bool growing_out::use(std::byte* memory) {
  channel_out& now = *channels_.back();
  const std::size_t needed = sizeof(word) + bytes_;
  const bool fits = needed <= now.capacity();
  const word first = fits ? 0 : std::max(growth * now.capacity(), needed + needed / 4);
  std::memcpy(memory, &first, sizeof first);
  if(fits) {
    user_->has_room(memory + sizeof first);
    return true;
  }
  // It is there before anybody else can know of it.
  auto larger =
    std::make_unique<channel_out>(messages_, now.peer(), numbers_.of(channels_.size()), first);
  channels_.push_back(std::move(larger));
  now.send(sizeof first);
  return false;
}

void growing_out::send() { channels_.back()->send(sizeof(word) + bytes_); }

// ---- receiving ---------------------------------------------------------------------------------

growing_in::growing_in(const growing_channel_options& o)
    : messages_(o.messages), numbers_(o.numbers) {
  channels_.push_back(std::make_unique<channel_in>(messages_, o.peer, numbers_.of(0),
    sizeof(word) + o.capacity, channel_in::lengths::up_to_capacity));
}

void growing_in::begin(user& u) {
  user_ = &u;
  const std::byte* memory = nullptr;
  do
    memory = channels_.back()->begin(*this);
  while(memory != nullptr && !use(memory));
}

void growing_in::channel_is_ready(std::byte* memory) {
  if(!use(memory))
    begin(*user_);
}

bool growing_in::use(const std::byte* memory) {
  channel_in& now = *channels_.back();
  word first = 0;
  std::memcpy(&first, memory, sizeof first);
  if(first == 0) {
    user_->has_come({memory + sizeof first, now.length() - sizeof first});
    return true;
  }
  now.end();
  channels_.push_back(std::make_unique<channel_in>(messages_, now.peer(),
    numbers_.of(channels_.size()), first, channel_in::lengths::up_to_capacity));
  return false;
}

} // namespace rondo::detail::inline distributed
