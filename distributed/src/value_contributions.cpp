#include <rondo/distributed/value_contributions.hpp>

#include <algorithm>
#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/folding.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

#include "launch_message.hpp"

namespace rondo::detail::inline distributed {

value_contributions::arrival::arrival(field_state& f, const exchange_plan::message& m,
  std::uint32_t channel_number, std::uint32_t number)
    : channel(f.of().home().messages(), m.peer, channel_number,
        static_cast<std::size_t>(m.size) * f.value_size()),
      as_region(
        f.of().home().launches(), *this, f.name(), {number, number_of_messages(m.peer, true)}) {}

void value_contributions::arrival::begin(rondo::completion done) {
  waiting = done;
  if(std::byte* const there = channel.begin(*this))
    channel_is_ready(there);
}

void value_contributions::arrival::channel_is_ready(std::byte* there) {
  memory = there;
  std::exchange(waiting, {}).value()();
}

value_contributions::value_contributions(field_state& f)
    : field_(f), channel_(f.of().home().new_channel()), ghosts_(f.elements().plan.colors.size()) {
  const exchange_plan& plan = f.elements().plan;
  const std::uint32_t number = f.of().home().new_number();
  // What fills ghosts from elsewhere, backwards.
  for(const auto& m : plan.incoming) {
    outgoing_.emplace_back(f, color_part::ghosts, m, channel_, number);
    for(const auto& p : m.parts)
      ghosts_[p.color].push_back(&p.elements);
  }
  for(const auto& c : plan.copies)
    ghosts_[c.destination].push_back(&c.to);
  for(const auto& m : plan.outgoing)
    arrivals_.emplace_back(f, m, channel_, number);
  for(auto& all : order_contributions(plan)) {
    incoming& made = into_.emplace_back();
    const std::size_t color = into_.size() - 1;
    made.accesses.emplace_back(write(f.owned(color)));
    for(const contribution& c : all) {
      region_access access = c.is_from_message ? region_access(read(arrivals_[c.source].as_region))
                                               : region_access(read(f.ghosts(c.source)));
      const auto is_same = [&](const region_access& a) { return &a.of() == &access.of(); };
      if(std::none_of(made.accesses.begin(), made.accesses.end(), is_same))
        made.accesses.push_back(access);
    }
    made.all = std::move(all);
  }
}

value_contributions::~value_contributions() { field_.of().home().give_back_channel(channel_); }

void value_contributions::clear(std::size_t color, const folding& how) const {
  for(const selection* const s : ghosts_[color])
    begin_fold(field_.block(color), *s, field_.value_size(), how);
}

void value_contributions::fold_into(std::size_t color, const folding& how) const {
  const std::size_t size = field_.value_size();
  const color_block& to = field_.block(color);
  for(const contribution& c : into_[color].all)
    if(c.is_from_message)
      fold(arrivals_[c.source].memory + static_cast<std::size_t>(c.offset) * size, to, *c.into,
        size, how);
    else
      fold(field_.block(c.source), *c.from, to, *c.into, size, how);
}

// ---- launches --------------------------------------------------------------------------------

class value_contributions::clearing {
public:
  clearing(const value_contributions& all, std::size_t color, const folding& how)
      : all_(&all), color_(color), how_(&how) {}
  void operator()(const color_block& /*ghosts*/) const { all_->clear(color_, *how_); }

private:
  const value_contributions* all_;
  std::size_t color_;
  const folding* how_;
};

class value_contributions::folding_in {
public:
  folding_in(const value_contributions& all, std::size_t color, const folding& how)
      : all_(&all), color_(color), how_(&how) {}
  void operator()() const { all_->fold_into(color_, *how_); }

private:
  const value_contributions* all_;
  std::size_t color_;
  const folding* how_;
};

namespace {

/// The launch ends when the message is there.
class arriving_values {
public:
  using may_be_ready = void;
  void operator()(rondo::completion done, value_contributions::arrival& a) const { a.begin(done); }
  bool is_ready(value_contributions::arrival& a) const { return a.channel.is_ready(); }
  void now(value_contributions::arrival& a) const { a.memory = a.channel.memory(); }
};

} // namespace

void value_contributions::launch_before(const folding& how, const std::source_location& where) {
  flow& f = field_.of().home().launches();
  for(std::size_t c = 0; c != ghosts_.size(); ++c)
    if(!ghosts_[c].empty())
      f.submit(named("contributions: clear", clearing(*this, c, how), where),
        write(field_.ghosts(c), where));
}

void value_contributions::launch_after(const folding& how, const std::source_location& where) {
  flow& f = field_.of().home().launches();
  for(auto& o : outgoing_)
    launch_message(f, "contributions: send", o, where);
  for(arrival& a : arrivals_)
    f.submit(
      ends_later("contributions: receive", arriving_values(), where), write(a.as_region, where));
  for(std::size_t c = 0; c != into_.size(); ++c)
    if(!into_[c].all.empty())
      f.submit(named("contributions: fold", folding_in(*this, c, how), where), into_[c].accesses);
  for(arrival& a : arrivals_)
    f.submit(named(
               "contributions: taken", [](arrival& all) { all.channel.end(); }, where),
      write(a.as_region, where));
}

} // namespace rondo::detail::inline distributed
