#pragma once

/// \file
/// Which elements a task has asked for that promises to write all of them: for values so small that there is none that nobody
/// writes.

#include <vector>

#include <rondo/distributed/block_limits.hpp>

namespace rondo::detail::inline distributed {

/// Of a field for one color: a byte for each element within the mesh, in order. Empty before the first such task.
struct asked_record {
  std::vector<unsigned char> elements;
};

/// Before such a task.
void begin_asking(const block_limits& l);
[[nodiscard]] bool was_asked(const block_limits& l, const point<3>& p);

} // namespace rondo::detail::inline distributed
