#pragma once

/// \file
/// The launches of a message: message_end.hpp.

#include <source_location>

#include <rondo/distributed/message_end.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

/// A launch for each group; the first one waits for the channel. What comes into a color from several ranks, and from
/// others of this one, goes to different elements: none of these launches waits for the others.
void launch_message(
  flow& f, const char* name, message_end<channel_out>& e, const std::source_location& where);
void launch_message(
  flow& f, const char* name, message_end<channel_in>& e, const std::source_location& where);

} // namespace rondo::detail::inline distributed
