// Colors go to other ranks: docs/protocols/balance.md.
#include <rondo/distributed/balance.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <rondo/core/place.hpp>
#include <rondo/distributed/color_carrier.hpp>
#include <rondo/distributed/contributions.hpp>
#include <rondo/distributed/field_copy.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/team.hpp>

#include "../output/desk.hpp"
#include "ranges_plan.hpp"

namespace rondo {

void scheduler::refuse_to_move(const detail::topology_state& of, const launch_site& l) const {
  refuse_in_task(l);
  if(bodies_ != 0)
    throw std::logic_error(
      detail::place(l.where) + ": " + l.task +
      " is called in the body of repeat(), iterate() or when(), which is launched ahead, while "
      "colors move between launches that have ended and others; call it between two loops");
  if(of.is_replicated())
    detail::refuse_balance(
      l.where, "a global topology has no colors that could move: every rank has all of it");
  for(const detail::topology_state* const t : topologies_)
    if(t->has_colors_of(of))
      if(const auto why = t->why_fixed())
        detail::refuse_balance(l.where, *why);
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
  detail::check_same(all, options, where);
  if(result.was_measured) {
    // All have to know of an exception of the program on one rank: they wait for it.
    std::vector<double> own(of.mine().size(), detail::function_has_thrown);
    std::exception_ptr thrown;
    try {
      own = costs_of(of, options);
    }
    catch(...) {
      thrown = std::current_exception();
    }
    const detail::ranges_plan plan =
      detail::plan_together(all, {cut, own, executor_.workers(), options.least_gain});
    if(thrown != nullptr)
      std::rethrow_exception(thrown);
    detail::check_costs(plan, where);
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
  // Objects that have messages go first, on all ranks, before anybody sends other ones on the same channels.
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
