#pragma once

/// \file
/// What a user wants to be told of a run: RONDO_OBSERVE.

#include <string>
#include <string_view>

namespace rondo::detail::inline observe {

struct wishes {
  bool wants_digest = false;
  std::string json_file; ///< Empty: the digest is printed.

  /// "digest", "digest=FILE.json". Throws std::invalid_argument, with what there is.
  static wishes from(std::string_view text);
  static wishes from_environment();
};

} // namespace rondo::detail::inline observe
