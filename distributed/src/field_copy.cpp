#include <rondo/distributed/field_copy.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/core/place.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/structured.hpp>
#include <rondo/tracing/flow.hpp>

#include "common_points.hpp"
#include "launch_message.hpp"
#include "the_field.hpp"

namespace rondo {

namespace detail::inline distributed {

namespace {

template<std::size_t D>
const structured_state<D>* mesh_of(const field_state& f) {
  return dynamic_cast<const structured_state<D>*>(&f.of());
}

/// Nothing is returned if they are not both over such meshes.
template<std::size_t D>
std::optional<exchange_plan> plan_in(const copy_request& r) {
  const auto* const from = mesh_of<D>(*r.from);
  const auto* const to = mesh_of<D>(*r.to);
  if(from == nullptr || to == nullptr || (r.dimensions != 0 && r.dimensions != D))
    return {};
  copied_points<D> what{from->coloring().mesh(), {}};
  for(std::size_t a = 0; a != D && r.dimensions != 0; ++a) {
    what.points.lo[a] = r.what.points.lo[a];
    what.points.hi[a] = r.what.points.hi[a];
    what.shift[a] = r.what.shift[a];
  }
  if(!what.points.empty() && common_points(from->coloring(), to->coloring(), what).empty())
    throw std::invalid_argument("no point of the box, shifted or not, is in the meshes of both " +
                                the_field(r.from->name()) + " and " + the_field(r.to->name()) +
                                "; coordinates are those of the whole mesh");
  return plan_copy<D>({from->coloring(), from->cut()}, {to->coloring(), to->cut()}, what);
}

} // namespace

exchange_plan plan_of(const copy_request& what) {
  std::optional<exchange_plan> plan = plan_in<1>(what);
  if(!plan)
    plan = plan_in<2>(what);
  if(!plan)
    plan = plan_in<3>(what);
  if(!plan)
    throw std::invalid_argument(the_field(what.from->name()) + " can't be copied to " +
                                the_field(what.to->name()) +
                                ": both have to be fields of structured meshes of as many "
                                "dimensions, as has the box of points; over the same topology a "
                                "task copies: to(i) = from(i)");
  return *std::move(plan);
}

field_copy::field_copy(scheduler& s, const copy_request& what, exchange_plan plan)
    : home_(s), what_(what), channel_(s.new_channel()), plan_(std::move(plan)),
      launches_into_(plan_.colors.size()) {
  const std::uint32_t number = s.new_number();
  for(const auto& m : plan_.outgoing)
    outgoing_.emplace_back(*what.from, color_part::owned, m, channel_, number);
  for(const auto& m : plan_.incoming) {
    incoming_.emplace_back(*what.to, color_part::owned, m, channel_, number);
    for(const auto& p : m.parts)
      launches_into_[p.color] += 2; // they write parts, whatever others do
  }
  for(auto next = plan_.copies.begin(); next != plan_.copies.end();) {
    const std::span<const exchange_plan::copy> copies = plan_.copies_into(next->destination);
    local_.push_back({next->destination, copies,
      group_up(
        copies, [](const exchange_plan::copy& x) { return x.source; },
        [&](std::size_t color) { return read(what.from->owned(color)); })});
    launches_into_[next->destination] += static_cast<unsigned>(local_.back().groups.size());
    next += static_cast<std::ptrdiff_t>(copies.size());
  }
}

field_copy::~field_copy() { home_.give_back_channel(channel_); }

class field_copy::ordering {
public:
  void operator()(const color_block& /*any*/) const {}
  [[nodiscard]] bool does_nothing() const { return true; }
};

class field_copy::copying {
public:
  copying(const field_copy& all, const local& of, const part_group& part)
      : all_(&all), of_(&of), part_(&part) {}
  void operator()(const color_block& to) const {
    const field_state& from = *all_->what_.from;
    for(const exchange_plan::copy& c : of_->plan.subspan(part_->first, part_->last - part_->first))
      copy(from.block(c.source), c.from, to, c.to, from.value_size());
  }

private:
  const field_copy* all_;
  const local* of_;
  const part_group* part_;
};

void field_copy::launch(const std::source_location& where) {
  flow& f = home_.launches();
  for(std::size_t c = 0; c != launches_into_.size(); ++c)
    if(launches_into_[c] > 1)
      f.submit(named("copy: order", ordering(), where), write(what_.to->owned(c), where));
  for(auto& m : outgoing_)
    launch_message(f, "copy: send", m, where);
  for(auto& m : incoming_)
    launch_message(f, "copy: receive", m, where);
  for(const local& l : local_)
    for(const part_group& g : l.groups) {
      region<color_block>& to = what_.to->owned(l.color);
      const auto body = named("copy", copying(*this, l, g), where);
      if(launches_into_[l.color] > 1)
        f.submit(body, write_part(to, where), g.accesses);
      else
        f.submit(body, write(to, where), g.accesses);
    }
}

} // namespace detail::inline distributed

void scheduler::launch_copy(const detail::copy_request& what, const std::source_location& where) {
  const launch_site site{"copy", where};
  refuse_in_task(site);
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(detail::place(where) + ": copy: " + why);
  };
  if(what.from == what.to)
    refuse(detail::the_field(what.from->name()) + " is copied to itself; take another one between");
  detail::launch_subject on;
  on.add(what.from->number());
  on.add(what.to->number());
  for(std::size_t a = 0; a != 3; ++a)
    for(const std::int64_t x : {what.what.points.lo[a], what.what.points.hi[a], what.what.shift[a]})
      on.hash = (on.hash + static_cast<std::uint64_t>(x) + 1) * 0x9e3779b97f4a7c15;
  note_launch(detail::step_kind::execute, site, detail::hash_of_letters(site.task), on);
  auto found =
    std::find_if(copies_.begin(), copies_.end(), [&](const auto& c) { return c->is(what); });
  if(found == copies_.end()) {
    exchange_plan plan;
    try {
      plan = plan_of(what);
    }
    catch(const std::invalid_argument& e) {
      refuse(e.what());
    }
    if(!pass_runs())
      return;
    copies_.push_back(std::make_unique<detail::field_copy>(*this, what, std::move(plan)));
    found = copies_.end() - 1;
  }
  const detail::launch_argument uses[] = {
    {&what.from->of(), what.from, ro, na, 0}, {&what.to->of(), what.to, rw, na, 0}};
  launch_ghosts(uses, where);
  (*found)->launch(where);
}

void scheduler::remove(detail::field_state& f) {
  std::erase(fields_, &f);
  std::erase(moved_, &f);
  std::erase(separated_, &f);
  std::erase_if(copies_, [&f](const auto& c) { return c->is_of(f); });
}

} // namespace rondo
