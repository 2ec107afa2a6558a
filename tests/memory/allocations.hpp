#pragma once

/// \file
/// How often this program has asked the heap for memory: the tests replace operator new.

#include <cstdint>

std::uint64_t allocations();
