#pragma once

// What points need of one another in bench metg. `width` points make a step after the other; the task of a point
// in step t needs what some points have left in step t - 1. The patterns are those of Task Bench (E.
// Slaughter et al., SC'20):
//
//   stencil   itself and the points next to it
//   nearest   itself and two on each side
//   spread    five, as far from each other as can be, and others in each of three steps
//   fft       itself and the points 1, 2, 4, ... away, the next distance in each step
//   no_comm   itself
//
// Where a point would be beyond the ends there is none; `spread` goes on at the other end.

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench::metg {

enum class pattern { stencil, nearest, spread, fft, no_comm };

inline constexpr std::array<const char*, 5> names = {
  "stencil", "nearest", "spread", "fft", "no_comm"};
inline const char* name_of(pattern p) { return names[static_cast<std::size_t>(p)]; }

inline pattern pattern_of(const std::string& name) {
  for(std::size_t i = 0; i != names.size(); ++i)
    if(name == names[i])
      return static_cast<pattern>(i);
  throw std::invalid_argument("there is no pattern " + name);
}

inline constexpr int most_inputs = 5;

// After so many steps the inputs are the same again.
inline int period(pattern p, int width) {
  if(p == pattern::spread)
    return 3;
  int n = 1;
  if(p == pattern::fft)
    for(n = 0; (1 << n) < width; ++n) {
    }
  return std::max(n, 1);
}

// In ascending order, each once.
inline std::vector<int> inputs(pattern p, int width, long step, int point) {
  std::vector<int> all;
  const auto add = [&](int i) {
    if(i >= 0 && i < width)
      all.push_back(i);
  };
  const int turn = static_cast<int>(step % period(p, width));
  switch(p) {
  case pattern::stencil:
    for(int i = point - 1; i <= point + 1; ++i)
      add(i);
    break;
  case pattern::nearest:
    for(int i = point - 2; i <= point + 2; ++i)
      add(i);
    break;
  case pattern::spread:
    for(int k = 0; k != 5; ++k)
      add((point + k * width / 5 + (k > 0 ? turn : 0)) % width);
    break;
  case pattern::fft:
    add(point - (1 << turn));
    add(point);
    add(point + (1 << turn));
    break;
  case pattern::no_comm:
    add(point);
    break;
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

} // namespace bench::metg
