#pragma once

/// \file
/// Numbers of fields in Perfetto's traces: in its sources below protos/perfetto/trace/, in the file that is named.

#include <cstdint>

namespace rondo::report::perfetto {

namespace trace { // trace.proto
constexpr std::uint32_t packet = 1;
}
namespace packet { // trace_packet.proto
constexpr std::uint32_t timestamp = 8;
constexpr std::uint32_t sequence = 10;
constexpr std::uint32_t track_event = 11;
constexpr std::uint32_t track_descriptor = 60;
} // namespace packet
namespace track { // track_event/track_descriptor.proto
constexpr std::uint32_t uuid = 1;
constexpr std::uint32_t process = 3;
constexpr std::uint32_t thread = 4;
constexpr std::uint32_t parent = 5;
constexpr std::uint32_t children_are_in = 11;
constexpr std::uint32_t place_among_siblings = 12;
constexpr std::uint64_t explicit_order = 3;
} // namespace track
namespace process { // track_event/process_descriptor.proto
constexpr std::uint32_t pid = 1;
constexpr std::uint32_t command_line = 2;
constexpr std::uint32_t name = 6;
} // namespace process
namespace thread { // track_event/thread_descriptor.proto
constexpr std::uint32_t pid = 1;
constexpr std::uint32_t tid = 2;
constexpr std::uint32_t name = 5;
} // namespace thread
namespace event { // track_event/track_event.proto
constexpr std::uint32_t annotation = 4;
constexpr std::uint32_t type = 9;
constexpr std::uint32_t track = 11;
constexpr std::uint32_t category = 22;
constexpr std::uint32_t name = 23;
constexpr std::uint32_t flow = 47;
constexpr std::uint32_t ended_flow = 48;
enum : std::uint64_t { slice_begin = 1, slice_end = 2, instant = 3 };
} // namespace event
namespace annotation { // track_event/debug_annotation.proto
constexpr std::uint32_t number = 3;
constexpr std::uint32_t text = 6;
constexpr std::uint32_t name = 10;
} // namespace annotation

} // namespace rondo::report::perfetto
