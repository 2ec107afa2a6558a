#pragma once

/// \file
/// Lists that lie one after the other in a piece: where each begins.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace rondo::detail::inline meshes {

/// A program may have filled them in itself.
inline void check_begins(const std::vector<std::int64_t>& begins,
  const std::vector<std::int64_t>& corners, const std::string& of) {
  if(begins.empty() || begins.front() != 0 ||
     begins.back() != static_cast<std::int64_t>(corners.size()) ||
     !std::is_sorted(begins.begin(), begins.end()))
    throw std::invalid_argument("rondo::unstructured: the begins of " + of +
                                " of a part have to grow from 0 to the number of corners, " +
                                std::to_string(corners.size()));
}

} // namespace rondo::detail::inline meshes
