#pragma once

/// \file
/// What a rank has written down, out of its block of a file: docs/protocols/timeline.md.

#include <cstddef>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::detail::inline observe {

/// `numbers`: the events of its lanes. Throws if these are not what the words say.
timeline_rank rank_of(const nlohmann::json& words, std::span<const std::byte> numbers);

} // namespace rondo::detail::inline observe
