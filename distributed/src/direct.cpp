#include "direct.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace rondo::detail::inline distributed {

void send(transport& t, unsigned to, std::span<const std::byte> what) {
  std::atomic<bool> is_done{false};
  const auto m = t.make_sender(to, direct_channel, what, {&set_flag, &is_done});
  if(!m->start())
    wait_for(t, is_done);
}

void receive(transport& t, unsigned from, std::span<std::byte> into) {
  std::atomic<bool> is_done{false};
  const auto m = t.make_receiver(from, direct_channel, into, {&set_flag, &is_done});
  if(!m->start())
    wait_for(t, is_done);
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
