#pragma once

/// \file
/// What the sanitizers want to be told of changes of stacks; nothing without them.

#if defined(__SANITIZE_ADDRESS__)
#define RONDO_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RONDO_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define RONDO_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RONDO_THREAD_SANITIZER 1
#endif
#endif

#ifdef RONDO_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef RONDO_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif
