#include <rondo/distributed/halo.hpp>

#include <algorithm>
#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

#include "submit_over.hpp"

namespace rondo::detail::inline distributed {

/// Parts one after the other, as long as they have to do with few enough colors.
template<class Parts, class ColorOf, class RegionOf>
std::vector<halo::group> halo::group_up(const Parts& parts, ColorOf color_of, RegionOf region_of) {
  std::vector<group> groups;
  std::vector<std::size_t> colors;
  for(std::size_t i = 0; i != parts.size(); ++i) {
    const std::size_t c = color_of(parts[i]);
    const bool is_new = std::find(colors.begin(), colors.end(), c) == colors.end();
    if(groups.empty() || (is_new && colors.size() == most_at_once)) {
      groups.push_back({{}, i, i});
      colors.clear();
    }
    if(colors.empty() || is_new) {
      colors.push_back(c);
      groups.back().of.push_back(&region_of(c));
    }
    groups.back().last = i + 1;
  }
  return groups;
}

halo::halo(field_state& f) : field_(f) {
  const exchange_plan& plan = f.elements().plan;
  for(const auto& m : plan.outgoing)
    outgoing_.emplace_back(*this, m);
  for(const auto& m : plan.incoming)
    incoming_.emplace_back(*this, m);
  const auto source = [](const exchange_plan::copy& x) { return x.source; };
  local_.reserve(plan.colors.size());
  for(std::size_t color = 0; color != plan.colors.size(); ++color) {
    const auto copies = plan.copies_into(color);
    local_.push_back(
      {copies, group_up(copies, source, [&f](std::size_t from) -> auto& { return f.owned(from); }),
        group_up(copies, source, [&f](std::size_t from) -> auto& { return f.ghosts(from); })});
  }
  for(std::size_t color = 0; color != local_.size(); ++color)
    for(group& g : local_[color].groups)
      g.is_in_place = f.is_together() && lies_in_place(color, g);
}

// ---- what is sent, and received --------------------------------------------------------------

template<class Channel>
halo::message_end<Channel>::message_end(halo& h, const exchange_plan::message& m)
    : of(h), plan(m), channel(h.field_.of().home().messages(), m.peer, h.field_.channel,
                        static_cast<std::size_t>(m.size) * h.field_.value_size()),
      order(h.field_.of().home().launches(), *this, h.field_.name(),
        {h.field_.number(), number_of_messages(m.peer, !sends)}),
      groups(group_up(
        m.parts, [](const exchange_plan::part& p) { return p.color; },
        [&f = h.field_](
          std::size_t color) -> auto& { return sends ? f.owned(color) : f.ghosts(color); })) {}

template<class Channel>
void halo::message_end<Channel>::handle(const group& g) {
  const std::size_t size = of.field_.value_size();
  for(std::size_t i = g.first; i != g.last; ++i) {
    const exchange_plan::part& p = plan.parts[i];
    const color_block& block = of.field_.block(p.color);
    std::byte* const there = memory + static_cast<std::size_t>(p.offset) * size;
    if constexpr(sends)
      pack(block, p.elements, size, there);
    else
      unpack(there, block, p.elements, size);
  }
  if(&g != &groups.back())
    return;
  if constexpr(sends)
    channel.send();
  else
    channel.end();
}

template<class Channel>
void halo::message_end<Channel>::begin(rondo::completion done) {
  waiting = done;
  if(std::byte* const there = channel.begin(*this))
    channel_is_ready(there);
}

template<class Channel>
void halo::message_end<Channel>::channel_is_ready(std::byte* there) {
  memory = there;
  handle(groups.front());
  std::exchange(waiting, {}).value()();
}

template<class Channel>
void halo::message_end<Channel>::begin_at_once() {
  memory = channel.memory();
  handle(groups.front());
}

// ---- what is copied --------------------------------------------------------------------------

void halo::copy_group(std::size_t color, const group& g) const {
  const color_block& to = field_.block(color);
  for(std::size_t i = g.first; i != g.last; ++i) {
    const exchange_plan::copy& c = local_[color].plan[i];
    copy(field_.block(c.source), c.from, to, c.to, field_.value_size());
  }
}

bool halo::lies_in_place(std::size_t color, const group& g) const {
  const auto is_there = [&](const exchange_plan::copy& c) {
    return is_same_memory(
      field_.block(c.source), c.from, field_.block(color), c.to, field_.value_size());
  };
  const auto first = local_[color].plan.begin();
  return std::all_of(first + static_cast<std::ptrdiff_t>(g.first),
    first + static_cast<std::ptrdiff_t>(g.last), is_there);
}

// ---- launches --------------------------------------------------------------------------------

/// Sends, or receives: the first launch of a message.
template<class Channel>
class halo::exchanging {
public:
  using end = message_end<Channel>;
  using may_be_ready = void;
  template<class... A>
  void operator()(rondo::completion done, end& e, A&...) const {
    e.begin(done);
  }
  template<class... A>
  bool is_ready(end& e, A&...) const {
    return e.channel.is_ready();
  }
  template<class... A>
  void now(end& e, A&...) const {
    e.begin_at_once();
  }
};

/// Where neighbours are read in place that is nothing.
class halo::copying {
public:
  copying(const halo& h, std::size_t color, const group& g) : halo_(&h), color_(color), part_(&g) {}
  template<class... A>
  void operator()(const color_block&, const A&...) const {
    halo_->copy_group(color_, *part_);
  }
  [[nodiscard]] bool does_nothing() const {
    return part_->is_in_place && halo_->field_.is_together();
  }

private:
  const halo* halo_;
  std::size_t color_;
  const group* part_;
};

class halo::clearing {
public:
  template<class... A>
  void operator()(const A&...) const {}
  [[nodiscard]] bool does_nothing() const { return true; }
};

void halo::refresh(const std::source_location& where) {
  launch_messages(where);
  for(std::size_t c = 0; c != local_.size(); ++c)
    launch_copies(c, where);
}

void halo::launch_clearing(std::size_t color, const std::source_location& where) {
  for(const group& g : local_[color].readers)
    submit_over<most_at_once>(field_.of().home().launches(),
      named("halo: clear", clearing(), where), writing, field_.owned(color), writing,
      std::span<region<color_block>* const>(g.of), where);
}

void halo::launch_messages(const std::source_location& where) {
  for(auto& o : outgoing_)
    launch_message("halo: send", o, where);
  for(auto& in : incoming_)
    launch_message("halo: receive", in, where);
}

/// A launch for each group; the first one waits for the channel. What comes into a color from several ranks, and from
/// others of this one, goes to different ghosts: none of these launches waits for the others.
template<class Channel>
void halo::launch_message(
  const char* name, message_end<Channel>& e, const std::source_location& where) {
  flow& f = field_.of().home().launches();
  const auto launch = [&](const group& g, auto body) {
    const std::span<region<color_block>* const> colors(g.of);
    if constexpr(message_end<Channel>::sends)
      submit_over<most_at_once>(f, body, writing, e.order, reading, colors, where);
    else
      submit_over<most_at_once>(f, body, writing, e.order, writing_a_part, colors, where);
  };
  for(const group& g : e.groups)
    if(&g == &e.groups.front())
      launch(g, ends_later(name, exchanging<Channel>(), where));
    else
      launch(
        g, named(
             name, [part = &g](message_end<Channel>& all, const auto&...) { all.handle(*part); },
             where));
}

void halo::launch_copies(std::size_t color, const std::source_location& where) {
  for(const group& g : local_[color].groups)
    submit_over<most_at_once>(field_.of().home().launches(),
      named("halo: copy", copying(*this, color, g), where), writing_a_part, field_.ghosts(color),
      reading, std::span<region<color_block>* const>(g.of), where);
}

} // namespace rondo::detail::inline distributed
