#include "rondo/core/build_info.hpp"

#ifndef RONDO_VERSION
#define RONDO_VERSION "unknown"
#endif
#ifndef RONDO_BUILD_TYPE
#define RONDO_BUILD_TYPE ""
#endif

#if defined(__has_feature)
#define RONDO_HAS_FEATURE(name) __has_feature(name)
#else
#define RONDO_HAS_FEATURE(name) 0
#endif

namespace rondo {

build_info library_build() noexcept {
  return {
    .version = RONDO_VERSION,
#if defined(__clang__)
    .compiler = "clang " __clang_version__,
#elif defined(__GNUC__)
    .compiler = "g++ " __VERSION__,
#else
    .compiler = "unknown",
#endif
    .build_type = RONDO_BUILD_TYPE,
#if defined(__OPTIMIZE__)
    .optimized = true,
#else
    .optimized = false,
#endif
#if defined(NDEBUG)
    .assertions = false,
#else
    .assertions = true,
#endif
#if defined(__SANITIZE_ADDRESS__) || RONDO_HAS_FEATURE(address_sanitizer)
    .sanitizer = "address",
#elif defined(__SANITIZE_THREAD__) || RONDO_HAS_FEATURE(thread_sanitizer)
    .sanitizer = "thread",
#else
    .sanitizer = "",
#endif
  };
}

} // namespace rondo
