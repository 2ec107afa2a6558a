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

std::vector<std::pair<double, std::string>> ticks_of(const time_span& span, double most) {
  const double least = std::max(1.0, static_cast<double>(span.length()) / std::max(1.0, most));
  const double power = std::pow(10, std::floor(std::log10(least)));
  double step = 10 * power;
  for(const double factor : {5, 2, 1})
    if(factor * power >= least * 0.999999)
      step = factor * power;

  const auto largest = static_cast<double>(std::max(span.end, -span.begin));
  double unit = 1;
  const char* name = "ns";
  for(const auto& [size, word] :
    {std::pair{1e3, "\xc2\xb5s"}, std::pair{1e6, "ms"}, std::pair{1e9, "s"}})
    if(largest >= size) {
      unit = size;
      name = word;
    }
  const int digits = std::max(0, static_cast<int>(std::ceil(std::log10(unit / step) - 1e-9)));

  std::vector<std::pair<double, std::string>> ticks;
  const double first = std::ceil(static_cast<double>(span.begin) / step);
  for(double i = first; i * step <= static_cast<double>(span.end); ++i) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f %s", digits, i * step / unit, name);
    ticks.emplace_back(i * step, i == 0 ? "0" : text.data());
  }
  return ticks;
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
