#pragma once

/// \file
/// When a thread did something, to see whether it did so between two instants.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rondo::simulate {

class stretches {
public:
  void add(std::int64_t begin, std::int64_t end) { all_.push_back({begin, end}); }
  void add(std::int64_t at) { add(at, at); }

  /// Before the first question. What overlaps becomes one.
  void sort() {
    std::ranges::sort(all_, {}, &stretch::begin);
    std::vector<stretch> apart;
    for(const stretch& s : all_)
      if(apart.empty() || apart.back().end < s.begin)
        apart.push_back(s);
      else
        apart.back().end = std::max(apart.back().end, s.end);
    all_.swap(apart);
  }

  /// One that only ends at `from` or begins at `to` is not between.
  [[nodiscard]] bool is_between(std::int64_t from, std::int64_t to) const {
    const auto at = std::ranges::upper_bound(all_, from, {}, &stretch::end);
    return at != all_.end() && at->begin < to;
  }

private:
  struct stretch {
    std::int64_t begin;
    std::int64_t end;
  };
  std::vector<stretch> all_;
};

} // namespace rondo::simulate
