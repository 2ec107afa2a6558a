#include "accusation_tree.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

#include <rondo/distributed/broadcast_steps.hpp>

namespace rondo::detail::inline distributed {

std::vector<unsigned> told_behind(unsigned rank, unsigned from, unsigned ranks) {
  // As a value travels from rank 0, with `from` in its place.
  const unsigned behind = rank >= from ? rank - from : rank + (ranks - from);
  std::vector<unsigned> distances;
  for(const reduction_step& s : broadcast_steps(behind, ranks))
    if(s.send)
      distances.push_back(s.peer - behind);
  return distances;
}

void accusation_tree::way::receive() {
  if(receiver->start())
    has_come.store(true, std::memory_order_relaxed);
}

accusation_tree::accusation_tree(transport& t, std::uint32_t channel, std::atomic<bool>& has_news)
    : rank_(t.rank()), ranks_(t.ranks()) {
  static_assert(std::is_trivially_copyable_v<accusation>);
  for(std::uint64_t distance = 1; distance < ranks_; distance *= 2) {
    way& w = *ways_.emplace_back(std::make_unique<way>());
    w.distance = static_cast<unsigned>(distance);
    w.has_news = &has_news;
    w.out = std::make_unique<accusation>();
    w.in = std::make_unique<accusation>();
    const auto behind = static_cast<unsigned>((rank_ + distance) % ranks_);
    const auto ahead = static_cast<unsigned>((rank_ + ranks_ - distance) % ranks_);
    // Release: that the memory has been read, or written.
    w.sender = t.make_sender(behind, channel, std::as_bytes(std::span(w.out.get(), 1)),
      {[](void* self) {
         auto& of = *static_cast<way*>(self);
         of.is_sending.store(false, std::memory_order_release);
         of.has_news->store(true, std::memory_order_relaxed);
       },
        &w});
    w.receiver = t.make_receiver(ahead, channel, std::as_writable_bytes(std::span(w.in.get(), 1)),
      {[](void* self) {
         auto& of = *static_cast<way*>(self);
         of.has_come.store(true, std::memory_order_release);
         of.has_news->store(true, std::memory_order_relaxed);
       },
        &w});
    w.receive();
  }
}

accusation_tree::~accusation_tree() {
  for(const auto& w : ways_) {
    w->receiver->give_up();
    // Nobody may ever receive messages that are under way now, with the program being ended.
    if(w->is_sending.load(std::memory_order_acquire)) {
      static_cast<void>(w->sender.release());
      static_cast<void>(w->out.release());
    }
  }
}

void accusation_tree::tell(const accusation& v) {
  told_ = v;
  const std::vector<unsigned> distances = told_behind(rank_, v.told_by(), ranks_);
  for(const auto& w : ways_)
    w->has_to_send = std::find(distances.begin(), distances.end(), w->distance) != distances.end();
  go_on();
}

void accusation_tree::go_on() {
  for(const auto& w : ways_) {
    // Acquire: the transport reads the memory no more.
    if(!w->has_to_send || w->is_sending.load(std::memory_order_acquire))
      continue;
    w->has_to_send = false;
    *w->out = told_;
    w->is_sending.store(true, std::memory_order_relaxed);
    if(w->sender->start())
      w->is_sending.store(false, std::memory_order_relaxed);
  }
}

std::optional<accusation> accusation_tree::hear() {
  for(const auto& w : ways_)
    // Acquire: what has come.
    if(w->has_come.load(std::memory_order_acquire)) {
      const accusation heard = *w->in;
      w->has_come.store(false, std::memory_order_relaxed);
      w->receive();
      return heard;
    }
  return std::nullopt;
}

} // namespace rondo::detail::inline distributed
