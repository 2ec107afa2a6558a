#pragma once

/// \file
/// Messages that a thread waits for, before there is a scheduler or after it: on the one channel that no scheduler uses.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

constexpr std::uint32_t direct_channel = 0; // those of a scheduler begin with 1

/// For a message's end: sets a flag, which `wait_for` looks at.
inline void set_flag(void* flag) {
  static_cast<std::atomic<bool>*>(flag)->store(true, std::memory_order_release);
}

inline void wait_for(transport& t, const std::atomic<bool>& is_done) {
  while(!is_done.load(std::memory_order_acquire))
    if(!t.poll())
      std::this_thread::yield();
}

void send(transport& t, unsigned to, std::span<const std::byte> what);
/// Of a message of just that size.
void receive(transport& t, unsigned from, std::span<std::byte> into);

/// What all ranks say, on rank 0, in the order of ranks; elsewhere nothing. All ranks call it. Half of the ranks send what they have
/// to the other half, and so on: log2(ranks) steps.
std::vector<std::vector<std::byte>> collect_on_first(transport& t, std::span<const std::byte> own);

/// Rank 0 tells all others; returns what it says. All ranks call it. log2(ranks) steps.
std::int64_t told_by_first(transport& t, std::int64_t own);

} // namespace rondo::detail::inline distributed
