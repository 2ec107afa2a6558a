#include "launch_message.hpp"

#include <rondo/distributed/field.hpp>

namespace rondo::detail::inline distributed {

namespace {

/// Sends, or receives: the first launch of a message.
template<class Channel>
class exchanging {
public:
  using end = message_end<Channel>;
  using may_be_ready = void;
  void operator()(rondo::completion done, end& e) const { e.begin(done); }
  bool is_ready(end& e) const { return e.channel.is_ready(); }
  void now(end& e) const { e.begin_at_once(); }
};

template<class Channel>
void launch_parts(
  flow& f, const char* name, message_end<Channel>& e, const std::source_location& where) {
  for(const part_group& g : e.groups)
    if(&g == &e.groups.front())
      f.submit(
        ends_later(name, exchanging<Channel>(), where), write(e.as_region, where), g.accesses);
    else
      f.submit(
        named(
          name, [part = &g](message_end<Channel>& all) { all.pack_or_unpack(*part); }, where),
        write(e.as_region, where), g.accesses);
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
