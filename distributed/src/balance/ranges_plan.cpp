#include "ranges_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include <rondo/core/place.hpp>

#include "even_ranges.hpp"

namespace rondo::detail::inline distributed {

void refuse_balance(const std::source_location& where, const std::string& why) {
  throw std::invalid_argument(place(where) + ": balance: " + why);
}

void check_same(team& all, const balance_options& options, const std::source_location& where) {
  // NaN would be different from itself.
  const bool has_gain = !std::isnan(options.least_gain);
  const double own[] = {options.cost ? 1.0 : 0.0, has_gain ? options.least_gain : -1e300};
  double ends[] = {own[0], -own[0], own[1], -own[1]};
  all.take_least(ends);
  if(ends[0] != -ends[1] || ends[2] != -ends[3])
    refuse_balance(where,
      "ranks have given it different options: some say what colors cost, and others "
      "don't, or .least_gain is not the same on all");
  if(!has_gain)
    refuse_balance(
      where, ".least_gain is no number; it is a part of what the slowest rank has to do, as .05");
}

namespace {

/// What rank 0 knows of all. Elsewhere nothing.
work_of_colors collect(team& all, const costs_of_rank& own) {
  std::vector<std::vector<double>> out(all.ranks());
  out[0] = own.costs;
  out[0].push_back(own.workers);
  const std::vector<std::vector<double>> in = all.swap_mail(std::move(out));
  work_of_colors work;
  if(all.rank() != 0)
    return work;
  work.costs.resize(own.cut.colors());
  for(unsigned r = 0; r != all.ranks(); ++r) {
    const color_set colors = own.cut.who().of(r);
    for(std::size_t c = 0; c != colors.size(); ++c)
      work.costs[colors[c]] = in[r][c];
    work.workers.push_back(static_cast<unsigned>(in[r].back()));
  }
  return work;
}

std::vector<unsigned> ranks_of(const distribution& who) {
  std::vector<unsigned> ranks;
  for(color_id c = 0; c != who.colors(); ++c)
    ranks.push_back(who.rank_of(c));
  return ranks;
}

/// Ranges, if that is what ranks have.
std::vector<color_id> begins_of(
  const distribution& who, std::span<const unsigned> ranks, const work_of_colors& work) {
  if(!std::is_sorted(ranks.begin(), ranks.end()))
    return ranges_by_sums(work); // boxes
  std::vector<color_id> begins;
  for(unsigned r = 0; r <= who.ranks(); ++r)
    begins.push_back(
      static_cast<color_id>(std::lower_bound(ranks.begin(), ranks.end(), r) - ranks.begin()));
  return begins;
}

ranges_plan plan_for(work_of_colors work, const distribution& who, double least_gain) {
  ranges_plan plan;
  for(std::size_t c = 0; c != work.costs.size(); ++c)
    if(!std::isfinite(work.costs[c]) || work.costs[c] < 0) {
      plan.wrong_color = static_cast<double>(c);
      plan.wrong_cost = work.costs[c];
      return plan;
    }
  const double most = *std::max_element(work.costs.begin(), work.costs.end());
  if(most == 0) // nobody has done anything
    return plan;
  for(double& c : work.costs)
    c /= most; // their sum is to be a number as well
  const double ideal = ideal_time(work);
  const std::vector<unsigned> ranks = ranks_of(who);
  plan.begins = even_ranges(work, begins_of(who, ranks, work));
  plan.before = time_of_slowest(work, ranks) / ideal;
  plan.after = time_of_slowest(work, ranks_of(distribution(plan.begins))) / ideal;
  if(plan.after >= plan.before * (1 - least_gain)) {
    plan.begins.clear();
    plan.after = plan.before;
  }
  return plan;
}

/// One rank has planned, so that all have the same. If it is empty, nothing moves.
ranges_plan told_by_first(team& all, const ranges_plan& own) {
  std::vector<std::vector<double>> out(all.ranks());
  if(all.rank() == 0)
    for(std::vector<double>& o : out) {
      o = {own.before, own.after, own.wrong_color, own.wrong_cost};
      o.insert(o.end(), own.begins.begin(), own.begins.end());
    }
  const std::vector<double> told = all.swap_mail(std::move(out))[0];
  ranges_plan plan{{}, told[0], told[1], told[2], told[3]};
  for(std::size_t k = 4; k != told.size(); ++k)
    plan.begins.push_back(static_cast<color_id>(told[k]));
  return plan;
}

} // namespace

ranges_plan plan_together(team& all, const costs_of_rank& own) {
  const work_of_colors work = collect(all, own);
  return told_by_first(
    all, all.rank() == 0 ? plan_for(work, own.cut.who(), own.least_gain) : ranges_plan());
}

void check_costs(const ranges_plan& plan, const std::source_location& where) {
  if(plan.wrong_color < 0)
    return;
  const std::string color = "color " + std::to_string(static_cast<color_id>(plan.wrong_color));
  if(plan.wrong_cost == function_has_thrown)
    refuse_balance(
      where, "the function that says what colors cost has thrown on the rank of " + color);
  refuse_balance(where, "the cost of " + color + " is " + std::to_string(plan.wrong_cost) +
                          "; a cost is a number of at least 0, in the same unit for all colors");
}

} // namespace rondo::detail::inline distributed
