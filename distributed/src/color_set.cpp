#include <rondo/distributed/color_set.hpp>

#include <algorithm>
#include <utility>

namespace rondo {

color_set::color_set(std::vector<color_id> colors) : colors_(std::move(colors)) {
  std::sort(colors_.begin(), colors_.end());
}

std::string describe(const color_set& colors) {
  std::string text;
  for(std::size_t i = 0; i != colors.size();) {
    std::size_t last = i;
    while(last + 1 != colors.size() && colors[last + 1] == colors[last] + 1)
      ++last;
    text += (i == 0 ? "" : ", ") + std::to_string(colors[i]);
    if(last != i)
      text += " to " + std::to_string(colors[last]);
    i = last + 1;
  }
  return text;
}

} // namespace rondo
