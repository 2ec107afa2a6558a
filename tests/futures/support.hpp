#pragma once

/// \file
/// What several tests of futures need.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include <unistd.h>

#include <rondo/futures.hpp>

#if defined(RONDO_SANITIZED)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#if defined(RONDO_THREAD_SANITIZED)
inline constexpr bool thread_sanitized = true;
#else
inline constexpr bool thread_sanitized = false;
#endif

/// How much of something, with and without a sanitizer.
constexpr int scaled(int full, int with_sanitizer) { return sanitized ? with_sanitizer : full; }

/// A hash of position: what is random is the same each time.
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
  return x ^ x >> 31U;
}

/// An exception that can be told from all others.
struct mishap : std::runtime_error {
  explicit mishap(int n) : std::runtime_error("mishap " + std::to_string(n)), number(n) {}
  int number;
};

inline std::exception_ptr mishap_ptr(int n) { return std::make_exception_ptr(mishap(n)); }

/// The number of the mishap that a future failed with; -1 if it has not.
template<class T>
int mishap_of(const rondo::future<T>& f) {
  try {
    f.get();
  }
  catch(const mishap& m) {
    return m.number;
  }
  return -1;
}

/// While it lives, stderr goes to where it can be read.
class captured_stderr {
public:
  captured_stderr() : file_(std::tmpfile()) {
    if(file_ == nullptr)
      throw std::runtime_error("no temporary file");
    std::fflush(stderr);
    old_ = dup(2);
    dup2(fileno(file_), 2);
  }
  ~captured_stderr() {
    std::fflush(stderr);
    dup2(old_, 2);
    close(old_);
    std::fclose(file_);
  }
  captured_stderr(const captured_stderr&) = delete;
  captured_stderr& operator=(const captured_stderr&) = delete;

  /// What has been written so far.
  [[nodiscard]] std::string text() const {
    std::string all;
    char part[4096];
    for(ssize_t n = 0; (n = pread(fileno(file_), part, sizeof part, off_t(all.size()))) > 0;)
      all.append(part, std::size_t(n));
    return all;
  }

private:
  std::FILE* file_;
  int old_ = -1;
};

/// What `f()` writes to stderr.
template<class F>
std::string stderr_of(F&& f) {
  const captured_stderr written;
  f();
  return written.text();
}

/// How often it says so.
inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for(auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++n;
  return n;
}
