#pragma once

/// \file
/// The exit code that the functions of all ranks have returned, or one for all if they differ.

#include <span>
#include <string>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

/// 0 if all ranks have 0; else what the first rank has that has another one. All ranks call it when their schedulers have
/// ended; returns the same on all of them. Before that rank 0 says so if they differ.
int agree_on_exit_code(transport& t, int own);

/// Which rank has which: as in "0 (ranks 0, 2 to 7), 3 (rank 1)", with few of them if there are many.
[[nodiscard]] std::string text_of_exit_codes(std::span<const int> of_ranks);

} // namespace rondo::detail::inline distributed
