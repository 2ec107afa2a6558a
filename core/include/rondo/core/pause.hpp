#pragma once

/// \file
/// What a thread does between two looks at something that another one will change soon.

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace rondo {

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace rondo
