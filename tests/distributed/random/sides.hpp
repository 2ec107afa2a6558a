#pragma once

/// \file
/// The two that run plans of random programs: `alone` on whole arrays, `together` with a scheduler.

#include <string>

#include <rondo/distributed/scheduler.hpp>

#include "plan.hpp"

namespace random_programs {

/// The outcome of one launch after the other.
outcome run_alone(const plan& p);
/// The same on ranks; `log` is that of rank 0 only. Files go to the folder.
outcome run_together(const plan& p, rondo::scheduler& s, const std::string& folder = {});

template<std::size_t D>
outcome run_alone(const plan& p);
template<std::size_t D>
outcome run_together(const plan& p, rondo::scheduler& s, const std::string& folder);

/// What is different, or nothing.
std::string difference(const outcome& expected, const outcome& seen, bool is_first_rank);

} // namespace random_programs
