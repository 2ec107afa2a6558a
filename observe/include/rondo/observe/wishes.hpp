#pragma once

/// \file
/// What a user wants to be told of a run: RONDO_OBSERVE.

#include <cstddef>
#include <string>
#include <string_view>

#include <rondo/observe/timeline/recorder.hpp>

namespace rondo::detail::inline observe {

struct wishes {
  bool wants_digest = false;
  std::string json_file; ///< If empty, the digest is printed.

  std::string timeline_file; ///< If empty, none is written.
  std::size_t timeline_memory =
    timeline_recorder::usual_memory; ///< Bytes for events, of each rank.

  /// Several with commas in between: "digest", "digest=FILE.json", "timeline=FILE". Throws std::invalid_argument, with what there is.
  static wishes from(std::string_view text);
  static wishes from_environment();
};

} // namespace rondo::detail::inline observe
