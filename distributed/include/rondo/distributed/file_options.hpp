#pragma once

/// \file
/// What can be said about a file of fields: output.hpp.

#include <array>
#include <cstdint>

#include <rondo/futures/future.hpp>

namespace rondo {

/// Where the points of a mesh lie, for programs that show it: point i of an axis at `origin + i * spacing`.
struct mesh_in_space {
  std::array<double, 3> origin{};
  std::array<double, 3> spacing{1, 1, 1};
};

struct file_options {
  mesh_in_space where = {};
  future<double> time = {}; ///< The time that the values are of, if it matters.
};

/// What `write` gives back: nobody need look at it.
struct file_written {
  future<std::uint64_t> bytes; ///< Of all values, when the file is complete. 0 if it was left out.
};
/// What `read` gives back.
struct file_read {
  future<double> time; ///< The time that was written; NaN if none was.
};

} // namespace rondo
