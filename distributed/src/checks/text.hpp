#pragma once

/// \file
/// What messages of checked builds have in common.

#include <string>

#include <rondo/core/mistakes.hpp>
#include <rondo/distributed/block_limits.hpp>

namespace rondo::detail::inline distributed {

/// As in "(3, 40)" and "[0, 8) x [4, 5)": with as many coordinates as the mesh has.
[[nodiscard]] std::string text_of(const point<3>& p, unsigned coordinates);
[[nodiscard]] std::string text_of(const box<3>& b, unsigned coordinates);
/// "point (3, 40)", "cell 12", "element 12" if elements have no name, or "value 2" where there are neither.
[[nodiscard]] std::string name_of(const block_limits& in, const point<3>& p);
[[nodiscard]] std::string accessor_with(privilege owned, privilege ghosts, int depth = whole_halo);

/// Throws std::logic_error, unless tests overlook that.
void refuse_use(
  checked_mistake m, const block_limits& of, const std::string& what, const std::string& to_do);

} // namespace rondo::detail::inline distributed
