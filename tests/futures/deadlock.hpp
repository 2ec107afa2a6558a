#pragma once

/// \file
/// What the tests of deadlocks have in common.

#include <chrono>
#include <filesystem>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "support.hpp"

/// Nobody wants to wait a second for each of these.
constexpr std::chrono::milliseconds soon(100);

inline rondo::executor_options with(unsigned workers, bool background = false) {
  return {.workers = workers, .background = background, .deadlock_after = soon};
}

/// A deadlock is only certain if this process has no threads of its own. The default executor of
/// other tests has some: `ctest` gives each file a process.
inline bool is_alone() {
  const auto threads = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  if(threads <= (thread_sanitized ? 2 : 1))
    return true;
  WARN("not tested: there are other threads");
  return false;
}

/// What the deadlock_error says that `f` throws; empty if it throws none.
template<class F>
std::string report_of(F&& f) {
  try {
    f();
  }
  catch(const rondo::deadlock_error& e) {
    return e.what();
  }
  return {};
}
