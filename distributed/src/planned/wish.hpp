#pragma once

/// \file
/// What RONDO_PLAN says: docs/configuration.md.

#include <optional>
#include <string>
#include <string_view>

namespace rondo::detail::inline distributed {

struct plan_wish {
  unsigned ranks = 0;
  unsigned workers = 1;
  unsigned first = 0; ///< Only the ranks from this one
  unsigned last = 0;  ///< to the one before this one are planned.
  std::string file;

  static constexpr unsigned most_ranks = 1U << 20U;

  /// Throws std::invalid_argument with what is expected.
  static plan_wish from(std::string_view text);
  /// Nothing if it is not set.
  static std::optional<plan_wish> from_environment();
};

} // namespace rondo::detail::inline distributed
