#include "times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace rondo::report {

time_span span_of(const detail::timeline& t) {
  time_span all;
  const auto add = [&](std::int64_t begin, std::int64_t end) {
    all.begin = std::min(all.begin, begin);
    all.end = std::max(all.end, end);
  };
  for(const auto& rank : t.ranks) {
    add(0, rank.ended);
    for(const auto& lane : rank.lanes) {
      for(const auto& e : lane.tasks)
        add(e.begin, e.end);
      for(const auto& e : lane.times)
        add(e.begin, e.end);
      for(const auto& e : lane.launches)
        add(e.at, e.at);
      for(const auto& e : lane.messages)
        add(e.at, e.at);
      for(const auto& e : lane.passes)
        add(e.at, e.at);
    }
  }
  return all;
}

std::string duration_text(double nanoseconds) {
  double value = nanoseconds;
  const char* unit = "ns";
  for(const char* const larger : {"\xc2\xb5s", "ms", "s"}) {
    if(value < 999.5)
      break;
    value /= 1000;
    unit = larger;
  }
  const int digits = value >= 99.95 || value == std::floor(value) ? 0 : value >= 9.995 ? 1 : 2;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s", digits, value, unit);
  return text.data();
}

} // namespace rondo::report
