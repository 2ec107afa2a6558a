#pragma once

/// \file
/// An event as a thread writes it down while the program runs: 24 bytes, whatever it is. What the numbers mean depends on the kind;
/// `write.cpp` makes bytes of a file of them, `read.cpp` the events of `timeline`.

#include <algorithm>
#include <cstdint>

namespace rondo::detail::inline observe {

/// What `index`, `id` and `length` are. Where `at` is a time, it is in ticks.
enum class event_kind : std::uint8_t {
  // Pieces of a task: site; number of the launch, or in `repeat` the pass; packed ticks that it took.
  task_whole,
  task_first,
  task_middle,
  task_last,
  /// Tasks behind it on this lane, as far as they are of `repeat`, are of the loop `id`. Told again in each chunk.
  of_loop,
  /// Shape; number; nothing.
  launch,
  // Peer; channel and, from bit 32 on, how many came before; bytes, packed.
  message_posted,
  message_sent,
  message_arrived,
  message_taken,
  /// Behind one of a message: flow; pass; step. `at` is the number.
  serves,
  // Site; loop; `pass_info::kind_type`.
  pass_begun,
  pass_ended,
  pass_in_vain,
  /// Behind one of a pass: nothing; count; nothing. `at` is the number.
  pass_numbers,
  // Site; nothing; packed ticks.
  waited_value,
  waited_launches,
  waited_region,
  waited_window,
  slept,
  phase,
  count
};

struct timeline_event {
  static constexpr std::uint32_t most_index = (1U << 27U) - 1;

  std::uint64_t at;
  std::uint64_t id;
  std::uint32_t length;
  std::uint32_t what;

  static std::uint32_t pack(event_kind kind, std::uint32_t index) {
    return index << 5U | static_cast<std::uint32_t>(kind);
  }
  [[nodiscard]] event_kind kind() const { return static_cast<event_kind>(what & 31U); }
  [[nodiscard]] std::uint32_t index() const { return what >> 5U; }
};
static_assert(sizeof(timeline_event) == 24);
static_assert(static_cast<unsigned>(event_kind::count) <= 32);

/// Exact below 2^31, and to some parts in 30000 up to 2^47: half a day in ticks.
constexpr std::uint32_t pack_length(std::uint64_t n) {
  constexpr std::uint64_t most = (1U << 31U) - 1;
  if(n <= most) [[likely]]
    return static_cast<std::uint32_t>(n);
  return 1U << 31U | static_cast<std::uint32_t>(std::min(n >> 16U, most));
}
constexpr std::uint64_t unpack_length(std::uint32_t packed) {
  constexpr std::uint32_t large = 1U << 31U;
  return packed < large ? packed : std::uint64_t{packed - large} << 16U;
}

} // namespace rondo::detail::inline observe
