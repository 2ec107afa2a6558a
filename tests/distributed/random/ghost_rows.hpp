#pragma once

/// \file
/// Rows of ghosts without Rondo: what tasks have put there, color by color, until it goes to the ends of the owners' rows.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <rondo/distributed/color_set.hpp>

namespace random_programs {

/// `Place`: where a color sees the row.
template<class Place>
class ghost_rows {
public:
  using row = std::vector<std::uint64_t>;

  row& of(rondo::color_id color, const Place& where) { return all_[{color, where}]; }
  /// In the order of colors, and what one of them sees of the same row in several places, in the order of these.
  /// `row_at(where)`: the owner's.
  template<class RowAt>
  void append_to(RowAt&& row_at) const {
    for(const auto& [from, values] : all_) {
      row& to = row_at(from.second);
      to.insert(to.end(), values.begin(), values.end());
    }
  }

private:
  std::map<std::pair<rondo::color_id, Place>, row> all_;
};

} // namespace random_programs
