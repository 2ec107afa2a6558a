#include "launch_message.hpp"

#include <span>

#include <rondo/distributed/field.hpp>

#include "submit_over.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// Sends, or receives: the first launch of a message.
template<class Channel>
class exchanging {
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

template<class Channel>
void launch_parts(
  flow& f, const char* name, message_end<Channel>& e, const std::source_location& where) {
  const auto launch = [&](const part_group& g, auto body) {
    const std::span<region<color_block>* const> colors(g.of);
    if constexpr(message_end<Channel>::sends)
      submit_over<part_group::most_colors>(f, body, writing, e.as_region, reading, colors, where);
    else
      submit_over<part_group::most_colors>(
        f, body, writing, e.as_region, writing_a_part, colors, where);
  };
  for(const part_group& g : e.groups)
    if(&g == &e.groups.front())
      launch(g, ends_later(name, exchanging<Channel>(), where));
    else
      launch(
        g, named(
             name,
             [part = &g](message_end<Channel>& all, const auto&...) { all.pack_or_unpack(*part); },
             where));
}

} // namespace

void launch_message(
  flow& f, const char* name, message_end<channel_out>& e, const std::source_location& where) {
  launch_parts(f, name, e, where);
}
void launch_message(
  flow& f, const char* name, message_end<channel_in>& e, const std::source_location& where) {
  launch_parts(f, name, e, where);
}

} // namespace rondo::detail::inline distributed
