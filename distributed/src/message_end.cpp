#include <rondo/distributed/message_end.hpp>

#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/joint_exchange.hpp>
#include <rondo/distributed/scheduler.hpp>

namespace rondo::detail::inline distributed {

template<class Channel>
message_end<Channel>::message_end(field_state& f, color_part which, const exchange_plan::message& m,
  std::uint32_t channel_number, std::uint32_t number)
    : field(f), plan(m), channel(f.of().home().messages(), m.peer, channel_number,
                           static_cast<std::size_t>(m.size) * f.value_size()),
      as_region(
        f.of().home().launches(), *this, f.name(), {number, number_of_messages(m.peer, !sends)}),
      groups(group_up(
        m.parts, [](const exchange_plan::part& p) { return p.color; },
        [&f, which](std::size_t color) -> region_access {
          region<color_block>& r = which == color_part::owned ? f.owned(color) : f.ghosts(color);
          if constexpr(sends)
            return read(r);
          else
            return write_part(r);
        })) {}

template<class Channel>
void message_end<Channel>::pack_or_unpack(const part_group& g) {
  const std::size_t size = field.value_size();
  for(std::size_t i = g.first; i != g.last; ++i) {
    const exchange_plan::part& p = plan.parts[i];
    const color_block& block = field.block(p.color);
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
void message_end<Channel>::begin(rondo::completion done) {
  waiting = done;
  start();
}

template<class Channel>
void message_end<Channel>::start() {
  if(std::byte* const there = channel.begin(*this))
    channel_is_ready(there);
}

template<class Channel>
void message_end<Channel>::channel_is_ready(std::byte* there) {
  memory = there;
  pack_or_unpack(groups.front());
  if(waiting.has_value())
    std::exchange(waiting, {}).value()();
  else
    joint->end_one();
}

template<class Channel>
void message_end<Channel>::begin_at_once() {
  memory = channel.memory();
  pack_or_unpack(groups.front());
}

template struct message_end<channel_in>;
template struct message_end<channel_out>;

} // namespace rondo::detail::inline distributed
