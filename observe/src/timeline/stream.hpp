#pragma once

/// \file
/// Events of a lane as bytes: each number as its difference to the one before, so an event takes some eight bytes.

#include <cstdint>

#include <rondo/observe/timeline/event.hpp>

#include "varints.hpp"

namespace rondo::detail::inline observe {

/// Where the numbers of an event are counted from. Of the reader it goes through the same states as of the writer.
struct stream_state {
  std::uint64_t at = 0;
  std::uint64_t id[32] = {};

  /// Returns false for kinds whose `at` is no time.
  static bool has_time(event_kind k) {
    return k != event_kind::of_loop && k != event_kind::serves && k != event_kind::pass_numbers;
  }
};

inline void write_event(varint_writer& to, stream_state& s, const timeline_event& e) {
  std::uint64_t& id = s.id[e.what & 31U];
  to.add(e.what);
  if(stream_state::has_time(e.kind())) {
    to.add_difference(e.at, s.at);
    s.at = e.at;
  }
  else
    to.add(e.at);
  to.add_difference(e.id, id);
  to.add(e.length);
  id = e.id;
}

inline timeline_event read_event(varint_reader& from, stream_state& s) {
  timeline_event e{};
  e.what = static_cast<std::uint32_t>(from.next());
  std::uint64_t& id = s.id[e.what & 31U];
  if(stream_state::has_time(e.kind()))
    e.at = s.at = from.next_difference(s.at);
  else
    e.at = from.next();
  e.id = id = from.next_difference(id);
  e.length = static_cast<std::uint32_t>(from.next());
  return e;
}

} // namespace rondo::detail::inline observe
