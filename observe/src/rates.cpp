#include <rondo/observe/rates.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace rondo::detail::inline observe {

std::string with_prefix(double x) {
  constexpr std::array<const char*, 5> prefixes{"", " k", " M", " G", " T"};
  std::size_t p = 0;
  for(; x >= 999.5 && p + 1 != prefixes.size(); ++p)
    x /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g%s", x, prefixes[p]);
  return text;
}

std::string clock_text(double seconds) {
  const auto all = static_cast<unsigned long long>(std::llround(seconds));
  char text[48];
  if(all < 3600)
    std::snprintf(text, sizeof text, "%llu:%02llu", all / 60, all % 60);
  else
    std::snprintf(text, sizeof text, "%llu:%02llu:%02llu", all / 3600, all / 60 % 60, all % 60);
  return text;
}

} // namespace rondo::detail::inline observe
