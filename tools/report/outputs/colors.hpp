#pragma once

/// \file
/// Colours of names in pictures: the same as on the page of a report (tools/report/page/colors.js).

#include "slices.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// Red, green and blue, from 0 to 255.
struct color {
  float red = 0;
  float green = 0;
  float blue = 0;
};

inline constexpr color grey_of_sleep{0xd9, 0xdc, 0xe0};
inline constexpr color grey_of_waits{0xb3, 0xb8, 0xbf};

/// Names whose hashes meet are told apart: in the order of the alphabet the later one takes the next hue that is free.
class color_table {
public:
  explicit color_table(const detail::timeline& t);

  /// Of a name of tasks or phases; others are grey.
  [[nodiscard]] color of(const std::string& name) const;
  /// Of phases, which are around all else, a lighter one.
  [[nodiscard]] color of(const detail::timeline_lane& lane, const slice& s) const;

private:
  std::map<std::string, color> colors_;
};

color mixed(const color& a, const color& b, float share_of_b);

} // namespace rondo::report
