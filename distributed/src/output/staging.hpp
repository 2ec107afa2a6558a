#pragma once

/// \file
/// Where the values of a color are while they go to the disk.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <rondo/distributed/stored.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/region.hpp>

#include "format.hpp"

namespace rondo::detail::inline distributed {

/// Of one color: the values of one field behind those of another, each in the order of the points.
struct staged_color {
  std::unique_ptr<std::byte[]> memory;
  std::size_t room = 0;
  bool has_failed = false; ///< They could not be written.

  /// Copies the fields, from where local color `c` has them. What all ranks have goes with the first color of rank 0.
  void take(const stored_mesh& m, std::size_t c, const std::vector<stored_field>& fields);
  /// Writes them to where the points are in the file.
  void write(const system_file& to, const file_contents& contents, const stored_mesh& m,
    std::size_t c) const;
};

/// Reads the values of local color `c` to where the fields have them.
void read_color(const system_file& from, const file_contents& contents, const stored_mesh& m,
  std::size_t c, const std::vector<stored_field>& fields);

/// For the colors of a topology on this rank. Kept, and used again.
class staging {
public:
  staging(flow& f, std::size_t colors) {
    for(std::size_t c = 0; c != colors; ++c) {
      objects_.emplace_back();
      regions_.emplace_back(f, objects_.back(), "copy for a file");
    }
  }
  [[nodiscard]] region<staged_color>& of(std::size_t c) { return regions_[c]; }

private:
  std::deque<staged_color> objects_;
  std::deque<region<staged_color>> regions_;
};

} // namespace rondo::detail::inline distributed
