#pragma once

/// \file
/// Words that were misspelled.

#include <span>
#include <string>
#include <string_view>

namespace rondo::detail::inline core {

/// The word that has most likely been meant, or nothing if none is near.
std::string_view nearest(std::string_view misspelled, std::span<const std::string_view> words);

/// "mpi, ucx, solo; did you mean ucx?" The question only if one is near.
std::string list_and_guess(std::string_view misspelled, std::span<const std::string_view> words);

} // namespace rondo::detail::inline core
