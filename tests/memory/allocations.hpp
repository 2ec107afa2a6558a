#pragma once

/// \file
/// How often this program has asked the heap for memory: the tests replace operator new.

#include <cstdint>

std::uint64_t allocations();

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
