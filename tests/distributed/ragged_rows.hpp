#pragma once

/// \file
/// What tests put into rows: a function of an element, of what its row was, and of the rows around it. Lengths, too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meshes.hpp"

namespace ragged_rows {

using hash = std::uint64_t;
using seen = std::span<const hash>;

/// How long rows are at most in pass `n`: from empty ones to those for which channels of before are too small by far.
inline std::size_t most_in(std::uint64_t n) {
  constexpr std::size_t all[] = {3, 0, 40, 5, 200, 1, 600, 7};
  return all[n % std::size(all)];
}

/// Follows what a row depends on.
class digest {
public:
  explicit digest(hash start) : h_(start) {}
  void add(seen row) {
    h_ = meshes::mix(h_, row.size());
    for(const hash x : row)
      h_ = meshes::mix(h_, x);
    if(!row.empty())
      values_.push_back(row[row.size() / 2]);
  }
  [[nodiscard]] hash value() const { return h_; }
  /// The row that is made of that: part of what it was, and new ones.
  [[nodiscard]] std::vector<hash> row(seen before, std::size_t most) const {
    const std::size_t size = h_ % (most + 1);
    std::vector<hash> made(before.begin(),
      before.begin() + static_cast<std::ptrdiff_t>(std::min(before.size(), size / 2)));
    while(made.size() != size)
      made.push_back(
        meshes::mix(h_ + made.size(), values_.empty() ? 0 : values_[made.size() % values_.size()]));
    return made;
  }

private:
  hash h_;
  std::vector<hash> values_;
};

/// Of an element, for a sum over all: whatever their order is.
inline hash bits_of(hash element, seen row) {
  digest d(meshes::mix(element, 17));
  d.add(row);
  return d.value();
}

} // namespace ragged_rows
