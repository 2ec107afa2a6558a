#pragma once

/// \file
/// Tasks that take a while until somebody writes to stdin.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace live_line {

inline std::atomic<bool> is_in_a_hurry{false};

inline void take_a_while() {
  if(!is_in_a_hurry)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

inline void listen() {
  std::thread([] {
    static_cast<void>(std::getchar());
    is_in_a_hurry = true;
  }).detach();
}

} // namespace live_line
