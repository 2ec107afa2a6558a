#include "words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace rondo::detail::inline observe {

namespace {

std::string with_unit(double x, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f %s", x < 10 ? 2 : x < 100 ? 1 : 0, x, unit);
  return text;
}

} // namespace

std::string time_text(double s) {
  if(s < 1e-6)
    return with_unit(1e9 * s, "ns");
  if(s < 1e-3)
    return with_unit(1e6 * s, "us");
  if(s < 1)
    return with_unit(1e3 * s, "ms");
  return with_unit(s, "s");
}

std::string short_time_text(double s) {
  static constexpr const char* units[] = {"s", "ms", "us", "ns"};
  std::size_t unit = 0;
  for(; unit != 3 && s < 0.999; ++unit)
    s *= 1e3;
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %s", s, units[unit]);
  return text;
}

std::string size_text(double bytes) {
  if(bytes < 1e3)
    return with_unit(bytes, "B");
  if(bytes < 1e6)
    return with_unit(1e-3 * bytes, "kB");
  if(bytes < 1e9)
    return with_unit(1e-6 * bytes, "MB");
  return with_unit(1e-9 * bytes, "GB");
}

std::string count_text(double n) {
  char digits[48];
  std::snprintf(digits, sizeof digits, "%.0f", n);
  std::string text = digits;
  for(std::size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, 1, ',');
  }
  return text;
}

std::string percent_text(double part) {
  if(part > 0 && part < 0.005)
    return "< 1 %";
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * part);
  return text;
}

std::string of_many(double n, const char* one, const char* many) {
  return count_text(n) + ' ' + (n == 1 ? one : many);
}

std::string shortened(std::string text, std::size_t most) {
  constexpr std::string_view rest = "...";
  if(text.size() > most)
    text.replace(most - std::min(most, rest.size()), std::string::npos, rest);
  return text;
}

} // namespace rondo::detail::inline observe
