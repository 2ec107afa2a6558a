#pragma once

/// \file
/// Sizes and colours of pictures.

#include "canvas.hpp"
#include "colors.hpp"

#include <cstddef>

namespace rondo::report {

inline constexpr double margin = 16;
inline constexpr double most_height = 8000;
inline constexpr double height_of_axis = 22;
inline constexpr double height_of_legend = 20;
inline constexpr std::size_t most_names = 14; ///< In the legend.
inline constexpr double usual_lane = 18;
inline constexpr double highest_lane = 30; ///< If there are so few that they fill no more than:
inline constexpr double high_enough = 240;
inline constexpr double labelled_lane = 11; ///< Lower ones have no label.

inline constexpr color ground{0xf4, 0xf5, 0xf7};
inline constexpr color line_ink{0x9a, 0xa1, 0xab};
inline constexpr color quiet{0x6a, 0x72, 0x7c};
inline constexpr color alarm{0xb0, 0x1e, 0x2e};

inline constexpr font of_title{16, true};
inline constexpr font of_words{12, false, quiet};
inline constexpr font of_alarm{12, true, alarm};
inline constexpr font of_ranks{11, true};
inline constexpr font of_lanes{10, false, quiet};
inline constexpr font of_phases{10};
inline constexpr font of_axis{11, false, quiet};
inline constexpr font of_legend{12};

} // namespace rondo::report
