#pragma once

/// \file
/// What a thread does between two looks at something that another one will change soon.

namespace rondo {

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause(); // <immintrin.h> has a name for it, among 38,000 lines of others
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace rondo
