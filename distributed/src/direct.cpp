#include "direct.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <thread>

#include <rondo/distributed/channel.hpp>

namespace rondo::detail::inline distributed {

transport::completion direct_messages::end_of(under_way& m) {
  // Release: what has come.
  return {[](void* flag) {
            static_cast<std::atomic<bool>*>(flag)->store(true, std::memory_order_release);
          },
    &m.is_done};
}

void direct_messages::start(under_way& m) {
  if(m.message->start())
    m.is_done.store(true, std::memory_order_relaxed); // nobody else does
}

void direct_messages::send(unsigned to, std::span<const std::byte> what) {
  under_way& m = all_.emplace_back();
  m.message = over_.over.make_sender(to, direct_channel, what, end_of(m));
  start(m);
}

void direct_messages::receive(unsigned from, std::span<std::byte> into) {
  under_way& m = all_.emplace_back();
  m.message = over_.over.make_receiver(from, direct_channel, into, end_of(m));
  start(m);
}

void direct_messages::wait() {
  for(const under_way& m : all_)
    while(!m.is_done.load(std::memory_order_acquire)) {
      bool has_found = false;
      if(over_.by != nullptr)
        over_.by->poll();
      else
        has_found = over_.over.poll();
      if(!has_found && !m.is_done.load(std::memory_order_acquire))
        std::this_thread::yield(); // ranks may share a core
    }
}

void send(polled_transport over, unsigned to, std::span<const std::byte> what) {
  direct_messages one(over);
  one.send(to, what);
  one.wait();
}

void receive(polled_transport over, unsigned from, std::span<std::byte> into) {
  direct_messages one(over);
  one.receive(from, into);
  one.wait();
}

namespace {

/// Each piece behind its length.
void add(std::vector<std::byte>& all, std::span<const std::byte> piece) {
  const std::uint64_t size = piece.size();
  const auto length = std::as_bytes(std::span(&size, 1));
  all.insert(all.end(), length.begin(), length.end());
  all.insert(all.end(), piece.begin(), piece.end());
}

std::vector<std::vector<std::byte>> divided(std::span<const std::byte> all) {
  std::vector<std::vector<std::byte>> pieces;
  while(!all.empty()) {
    std::uint64_t size = 0;
    std::memcpy(&size, all.data(), sizeof size);
    all = all.subspan(sizeof size);
    pieces.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
    all = all.subspan(size);
  }
  return pieces;
}

} // namespace

std::vector<std::vector<std::byte>> collect_on_first(transport& t, std::span<const std::byte> own) {
  std::vector<std::byte> all; // of this rank and those behind it, in order
  add(all, own);
  for(unsigned step = 1; step < t.ranks(); step *= 2) {
    if((t.rank() & step) != 0) {
      const std::uint64_t size = all.size();
      send(t, t.rank() - step, std::as_bytes(std::span(&size, 1)));
      send(t, t.rank() - step, all);
      return {};
    }
    if(t.ranks() - t.rank() <= step)
      continue;
    std::uint64_t size = 0;
    receive(t, t.rank() + step, std::as_writable_bytes(std::span(&size, 1)));
    const std::size_t before = all.size();
    all.resize(before + size);
    receive(t, t.rank() + step, std::span(all).subspan(before));
  }
  return divided(all);
}

std::int64_t told_by_first(transport& t, std::int64_t own) {
  const auto bytes = std::as_writable_bytes(std::span(&own, 1));
  const unsigned highest = std::bit_floor(t.rank());
  if(t.rank() != 0)
    receive(t, t.rank() - highest, bytes);
  for(unsigned bit = t.rank() == 0 ? 1 : 2 * highest; t.rank() + bit < t.ranks(); bit *= 2)
    send(t, t.rank() + bit, bytes);
  return own;
}

} // namespace rondo::detail::inline distributed
