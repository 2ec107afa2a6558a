// Colors go to other ranks: docs/protocols/balance.md.
#include <rondo/distributed/balance.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <rondo/core/place.hpp>
#include <rondo/distributed/color_carrier.hpp>
#include <rondo/distributed/contributions.hpp>
#include <rondo/distributed/field_copy.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/team.hpp>

#include "../output/desk.hpp"
#include "even_ranges.hpp"

namespace rondo {

namespace {

using detail::work_of_colors;

[[noreturn]] void refuse(const std::source_location& where, const std::string& why) {
  throw std::invalid_argument(detail::place(where) + ": balance: " + why);
}

/// Before ranks take what others send for something else: some have costs by the program, and others measure.
void check_same(
  detail::team& all, const balance_options& options, const std::source_location& where) {
  // NaN would be different from itself.
  const bool has_gain = !std::isnan(options.least_gain);
  const double own[] = {options.cost ? 1.0 : 0.0, has_gain ? options.least_gain : -1e300};
  double ends[] = {own[0], -own[0], own[1], -own[1]};
  all.take_least(ends);
  if(ends[0] != -ends[1] || ends[2] != -ends[3])
    refuse(where, "ranks have given it different options: some say what colors cost, and others "
                  "don't, or .least_gain is not the same on all");
  if(!has_gain)
    refuse(
      where, ".least_gain is no number; it is a part of what the slowest rank has to do, as .05");
}

constexpr double function_has_thrown = -std::numeric_limits<double>::infinity();

/// What rank 0 knows of all. Elsewhere nothing.
work_of_colors gather(detail::team& all, const detail::partition& cut,
  const std::vector<double>& own, unsigned workers) {
  std::vector<std::vector<double>> out(all.ranks());
  out[0] = own;
  out[0].push_back(workers);
  const std::vector<std::vector<double>> in = all.exchange(std::move(out));
  work_of_colors work;
  if(all.rank() != 0)
    return work;
  work.costs.resize(cut.colors());
  for(unsigned r = 0; r != all.ranks(); ++r) {
    const color_set colors = cut.who().of(r);
    for(std::size_t c = 0; c != colors.size(); ++c)
      work.costs[colors[c]] = in[r][c];
    work.workers.push_back(static_cast<unsigned>(in[r].back()));
  }
  return work;
}

/// Where colors are, and where they would be.
struct plan_of_ranks {
  std::vector<color_id> begins; ///< Empty: nothing moves.
  double before = 1;
  double after = 1;
  double wrong_color = -1; ///< It has a cost that is none, and that is:
  double wrong_cost = 0;
};

std::vector<unsigned> ranks_of(const distribution& who) {
  std::vector<unsigned> ranks;
  for(color_id c = 0; c != who.colors(); ++c)
    ranks.push_back(who.rank_of(c));
  return ranks;
}

/// Ranges, if that is what ranks have.
std::vector<color_id> begins_of(const distribution& who, const work_of_colors& work) {
  const std::vector<unsigned> ranks = ranks_of(who);
  if(!std::is_sorted(ranks.begin(), ranks.end()))
    return ranges_by_sums(work); // boxes
  std::vector<color_id> begins;
  for(unsigned r = 0; r <= who.ranks(); ++r)
    begins.push_back(
      static_cast<color_id>(std::lower_bound(ranks.begin(), ranks.end(), r) - ranks.begin()));
  return begins;
}

plan_of_ranks plan_for(
  work_of_colors work, const distribution& who, const balance_options& options) {
  plan_of_ranks plan;
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
  const double ideal = detail::ideal_time(work);
  plan.begins = detail::even_ranges(work, begins_of(who, work));
  plan.before = detail::time_of_slowest(work, ranks_of(who)) / ideal;
  plan.after = detail::time_of_slowest(work, ranks_of(distribution(plan.begins))) / ideal;
  if(plan.after >= plan.before * (1 - options.least_gain)) {
    plan.begins.clear();
    plan.after = plan.before;
  }
  return plan;
}

[[noreturn]] void refuse_cost(const plan_of_ranks& plan, const std::source_location& where) {
  const std::string color = "color " + std::to_string(static_cast<color_id>(plan.wrong_color));
  if(plan.wrong_cost == function_has_thrown)
    refuse(where, "the function that says what colors cost has thrown on the rank of " + color);
  refuse(where, "the cost of " + color + " is " + std::to_string(plan.wrong_cost) +
                  "; a cost is a number of at least 0, in the same unit for all colors");
}

/// One rank has planned, so that all have the same. Empty: nothing moves.
plan_of_ranks told_by_first(detail::team& all, const plan_of_ranks& own) {
  std::vector<std::vector<double>> out(all.ranks());
  if(all.rank() == 0)
    for(std::vector<double>& o : out) {
      o = {own.before, own.after, own.wrong_color, own.wrong_cost};
      o.insert(o.end(), own.begins.begin(), own.begins.end());
    }
  const std::vector<double> told = all.exchange(std::move(out))[0];
  plan_of_ranks plan{{}, told[0], told[1], told[2], told[3]};
  for(std::size_t k = 4; k != told.size(); ++k)
    plan.begins.push_back(static_cast<color_id>(told[k]));
  return plan;
}

} // namespace

void scheduler::refuse_to_move(const detail::topology_state& of, const launch_site& l) const {
  refuse_in_task(l);
  if(bodies_ != 0)
    throw std::logic_error(
      detail::place(l.where) + ": " + l.task +
      " is called in the body of repeat(), iterate() or when(), which is launched ahead, while "
      "colors move between launches that have ended and others; call it between two loops");
  if(of.is_replicated())
    refuse(l.where, "a global topology has no colors that could move: every rank has all of it");
  for(const detail::topology_state* const t : topologies_)
    if(t->has_colors_of(of))
      if(const auto why = t->why_fixed())
        refuse(l.where, *why);
}

void scheduler::measure_costs(const detail::topology_state& of, const std::source_location& where) {
  refuse_to_move(of, {"measure_costs", where});
  note(detail::step_kind::balance, where, detail::launch_subject::of_number(of.number()));
  wait(where); // tasks look whether they are measured
  restart_costs(of.cut());
}

/// A function that launches would do so as often as the rank has colors.
std::vector<double> scheduler::costs_of(
  const detail::topology_state& of, const balance_options& options) {
  if(!options.cost)
    return of.cut().costs().seconds();
  struct asking {
    occupation& by;
    explicit asking(occupation& o) : by(o) { by = occupation::says_costs; }
    ~asking() { by = occupation::none; }
    asking(const asking&) = delete;
    asking& operator=(const asking&) = delete;
  } const here(occupied_);
  std::vector<double> costs;
  for(const color_id c : of.mine())
    costs.push_back(options.cost(c));
  return costs;
}

void scheduler::restart_costs(const detail::partition& cut) {
  cut.costs().restart(cut.local_colors());
  for(detail::topology_state* const t : topologies_)
    if(t->cut().is_same_as(cut))
      t->note_costs();
}

balance_result scheduler::balance(const detail::topology_state& of, const balance_options& options,
  const std::source_location& where) {
  refuse_to_move(of, {"balance", where});
  note(detail::step_kind::balance, where, detail::launch_subject::of_number(of.number()));
  wait(where);
  if(transport_.planned_workers() != 0)
    return {};
  const detail::partition cut = of.cut();
  balance_result result{.was_measured = options.cost || cut.costs().is_measured()};
  detail::team all(*this);
  check_same(all, options, where);
  if(result.was_measured) {
    // What the program throws on one rank all have to know: they wait for it.
    std::vector<double> own(of.mine().size(), function_has_thrown);
    std::exception_ptr thrown;
    try {
      own = costs_of(of, options);
    }
    catch(...) {
      thrown = std::current_exception();
    }
    const work_of_colors work = gather(all, cut, own, executor_.workers());
    const plan_of_ranks plan =
      told_by_first(all, rank() == 0 ? plan_for(work, cut.who(), options) : plan_of_ranks());
    if(thrown != nullptr)
      std::rethrow_exception(thrown);
    if(plan.wrong_color >= 0)
      refuse_cost(plan, where);
    result.before = plan.before;
    result.after = plan.after;
    if(!plan.begins.empty())
      result.moved = move_colors(all, cut, cut.dealt_as(distribution(plan.begins)));
  }
  if(!options.cost || (cut.costs().is_measured() && result.has_moved()))
    restart_costs(of.cut());
  return result;
}

std::uint64_t scheduler::move_colors(
  detail::team& all, const detail::partition& from, const detail::partition& to) {
  std::vector<detail::field_state*> fields;
  for(detail::field_state* const f : fields_)
    if(f->of().cut().is_same_as(from))
      fields.push_back(f);
  std::vector<detail::topology_state*> topologies;
  for(detail::topology_state* const t : topologies_)
    if(t->cut().is_same_as(from))
      topologies.push_back(t);
  // What has messages goes first, on all ranks, before anybody sends other ones on the same channels.
  for(detail::field_state* const f : fields) {
    f->end_messages();
    std::erase_if(copies_, [f](const auto& c) { return c->is_of(*f); });
  }
  for(const detail::topology_state* const t : topologies)
    end_collectives_of(*t);
  transport_.meet();
  const detail::color_carrier carrier(all, from, to);
  for(detail::topology_state* const t : topologies)
    t->move(to, carrier);
  for(detail::field_state* const f : fields)
    f->move_colors(carrier);
  for(detail::topology_state* const t : topologies)
    t->end_move();
  return carrier.moved();
}

balance_result topology::balance(const balance_options& options, std::source_location where) const {
  return home().balance(any_state(), options, where);
}

void topology::measure_costs(std::source_location where) const {
  home().measure_costs(any_state(), where);
}

} // namespace rondo
