#pragma once

/// \file
/// How often this program has asked the heap for memory: the tests replace operator new.

#include <algorithm>
#include <cstdint>

std::uint64_t allocations();

/// What `round` allocates when it has been run often enough: the least of some, since chance says which worker gets which
/// task, so that one round may still need a node more than all before.
template<class Round>
std::uint64_t allocations_of(Round&& round) {
  for(int i = 0; i != 20; ++i)
    round();
  std::uint64_t least = ~std::uint64_t{0};
  for(int i = 0; i != 20; ++i) {
    const auto before = allocations();
    round();
    least = std::min(least, allocations() - before);
  }
  return least;
}

/// How much of it has not been given back.
std::int64_t live_bytes();

/// While one lives, the heap has nothing left for the thread that made it.
class no_memory {
public:
  no_memory();
  ~no_memory();
  no_memory(const no_memory&) = delete;
  no_memory& operator=(const no_memory&) = delete;
};
