#include <rondo/distributed/value_halo.hpp>

#include <algorithm>
#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

#include "launch_message.hpp"

namespace rondo::detail::inline distributed {

value_halo::value_halo(field_state& f) : value_halo(f, f.elements().plan, f.channel) {}

value_halo::value_halo(field_state& f, short depth)
    : value_halo(f, f.of().elements_with_halo(depth).plan, f.of().home().new_channel()) {}

value_halo::~value_halo() {
  if(channel_ != field_.channel) // that is given back with the field
    field_.of().home().give_back_channel(channel_);
}

value_halo::value_halo(field_state& f, const exchange_plan& plan, std::uint32_t channel)
    : halo(f), channel_(channel) {
  for(const auto& m : plan.outgoing)
    outgoing_.emplace_back(f, color_part::owned, m, channel, f.number());
  for(const auto& m : plan.incoming)
    incoming_.emplace_back(f, color_part::ghosts, m, channel, f.number());
  join_short_messages();
  local_.reserve(plan.colors.size());
  for(std::size_t color = 0; color != plan.colors.size(); ++color)
    local_.push_back(local_of(color, plan));
}

value_halo::local value_halo::local_of(std::size_t color, const exchange_plan& plan) const {
  local l;
  for(const exchange_plan::copy& c : plan.copies_into(color))
    l.plan.push_back(&c);
  const auto first_in_place = std::stable_partition(l.plan.begin(), l.plan.end(),
    [this](const exchange_plan::copy* c) { return !lies_in_place(*c); });
  const auto source = [](const exchange_plan::copy* c) { return c->source; };
  const auto reading = [this](std::size_t from) { return read(field_.owned(from)); };
  const auto copied = static_cast<std::size_t>(first_in_place - l.plan.begin());
  l.copied = group_up(std::span(l.plan).first(copied), source, reading);
  l.in_place = group_up(std::span(l.plan).subspan(copied), source, reading);
  for(part_group& g : l.in_place) {
    g.first += copied;
    g.last += copied;
    for(const region_access& a : g.accesses) // a color may have parts in two groups
      if(std::ranges::find(l.neighbours, &a.of(), [](const region_access& b) { return &b.of(); }) ==
         l.neighbours.end())
        l.neighbours.push_back(a);
  }
  // Colors that may read in place: also from farther away.
  l.readers = group_up(
    field_.elements().plan.copies_into(color),
    [](const exchange_plan::copy& c) { return c.source; },
    [this](std::size_t from) { return write(field_.ghosts(from)); });
  return l;
}

// ---- which messages have a launch for all of them ------------------------------------------------

namespace {

/// In their order, each once; none of a message that has launches of its own.
template<class Channel>
std::vector<std::size_t> colors_if_joint(const message_end<Channel>& e) {
  std::vector<std::size_t> colors;
  if(e.joint != nullptr || e.groups.size() != 1 ||
     e.channel.capacity() > joint_exchange::longest_message)
    return colors;
  for(const exchange_plan::part& p : e.plan.parts)
    colors.push_back(p.color);
  std::sort(colors.begin(), colors.end());
  colors.erase(std::unique(colors.begin(), colors.end()), colors.end());
  return colors;
}

template<class Ends>
auto joint_with(Ends& all, const std::vector<std::size_t>& colors) {
  std::vector<typename Ends::pointer> found;
  for(auto& e : all)
    if(found.size() != joint_exchange::most_messages && colors_if_joint(e) == colors)
      found.push_back(&e);
  return found;
}

} // namespace

void value_halo::join_short_messages() {
  for(const auto& o : outgoing_)
    if(const auto colors = colors_if_joint(o); !colors.empty())
      if(const auto in = joint_with(incoming_, colors); !in.empty())
        joint_.emplace_back(
          field_, static_cast<std::uint32_t>(joint_.size()), joint_with(outgoing_, colors), in);
}

// ---- what is copied --------------------------------------------------------------------------

void value_halo::copy_group(std::size_t color, const part_group& g) const {
  const color_block& to = field_.block(color);
  for(std::size_t i = g.first; i != g.last; ++i) {
    const exchange_plan::copy& c = *local_[color].plan[i];
    copy(field_.block(c.source), c.from, to, c.to, field_.value_size());
  }
}

bool value_halo::lies_in_place(const exchange_plan::copy& c) const {
  return field_.is_together() && is_same_memory(field_.block(c.source), c.from,
                                   field_.block(c.destination), c.to, field_.value_size());
}

// ---- launches --------------------------------------------------------------------------------

/// Where neighbours are read in place that is nothing.
class value_halo::copying {
public:
  copying(const value_halo& h, std::size_t color, const part_group& g, bool is_in_place)
      : halo_(&h), color_(color), part_(&g), is_in_place_(is_in_place) {}
  void operator()(const color_block& /*to*/) const { halo_->copy_group(color_, *part_); }
  [[nodiscard]] bool does_nothing() const { return is_in_place_ && halo_->field_.is_together(); }

private:
  const value_halo* halo_;
  std::size_t color_;
  const part_group* part_;
  bool is_in_place_; ///< As long as the colors are together.
};

class value_halo::clearing {
public:
  void operator()(const color_block& /*of*/) const {}
  [[nodiscard]] bool does_nothing() const { return true; }
};

void value_halo::launch_clearing(std::size_t color, const std::source_location& where) {
  for(const part_group& g : local_[color].readers)
    field_.of().home().launches().submit(
      named("halo: clear", clearing(), where), write(field_.owned(color), where), g.accesses);
}

void value_halo::exchange(const std::source_location& where) {
  flow& f = field_.of().home().launches();
  const bool one_by_one = field_.of().home().messages().is_observed();
  for(auto& o : outgoing_)
    if(one_by_one || o.joint == nullptr)
      launch_message(f, "halo: send", o, where);
  if(!one_by_one)
    for(joint_exchange& x : joint_)
      x.launch(f, where);
  for(auto& in : incoming_)
    if(one_by_one || in.joint == nullptr)
      launch_message(f, "halo: receive", in, where);
}

void value_halo::launch_copies_of(std::size_t color, const std::vector<part_group>& groups,
  bool are_in_place, const std::source_location& where) {
  for(const part_group& g : groups)
    field_.of().home().launches().submit(
      named("halo: copy", copying(*this, color, g, are_in_place), where),
      write_part(field_.ghosts(color), where), g.accesses);
}

void value_halo::copy_into(std::size_t color, const std::source_location& where) {
  launch_copies_of(color, local_[color].copied, false, where);
  if(!field_.is_together()) // any more
    wait_for_neighbours(color, where);
}

void value_halo::wait_for_neighbours(std::size_t color, const std::source_location& where) {
  launch_copies_of(color, local_[color].in_place, true, where);
}

} // namespace rondo::detail::inline distributed
