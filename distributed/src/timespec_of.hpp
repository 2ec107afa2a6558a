#pragma once

#include <chrono>
#include <ctime>

namespace rondo::detail::inline distributed {

inline timespec timespec_of(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {seconds.count(), (time - seconds).count()};
}

} // namespace rondo::detail::inline distributed
