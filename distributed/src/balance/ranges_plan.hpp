#pragma once

/// \file
/// All ranks together find out which ranges of colors each is to have.

#include <limits>
#include <source_location>
#include <string>
#include <vector>

#include <rondo/distributed/balance.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/team.hpp>

namespace rondo::detail::inline distributed {

struct ranges_plan {
  std::vector<color_id> begins; ///< Of the distribution. If empty, nothing moves.
  double before = 1;            ///< As in balance_result.
  double after = 1;
  double wrong_color = -1; ///< It has a cost that is none, and that is:
  double wrong_cost = 0;
};

/// In place of costs that the program did not say.
inline constexpr double function_has_thrown = -std::numeric_limits<double>::infinity();

/// What a rank knows.
struct costs_of_rank {
  const partition& cut;
  const std::vector<double>& costs; ///< Of its colors.
  unsigned workers;
  double least_gain;
};

/// The same on all ranks. One of them plans: ranks that round otherwise would have other plans.
[[nodiscard]] ranges_plan plan_together(team& all, const costs_of_rank& own);

/// Throws std::invalid_argument, on all ranks, if options are not the same on all, which is found out before ranks take what others send
/// for something else; and if some color's cost is none.
void check_same(team& all, const balance_options& options, const std::source_location& where);
void check_costs(const ranges_plan& plan, const std::source_location& where);

[[noreturn]] void refuse_balance(const std::source_location& where, const std::string& why);

} // namespace rondo::detail::inline distributed
