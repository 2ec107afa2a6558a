#pragma once

/// \file
/// Messages, put together from what the ranks at their ends were told.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// A message, and what is known of it. What is not known is null: events that were dropped, ranks that have failed.
struct message_ends {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t channel = 0;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;

  const detail::told_message* posted = nullptr;
  const detail::told_message* sent = nullptr;
  const detail::told_message* arrived = nullptr;
  const detail::told_message* taken = nullptr;

  [[nodiscard]] bool is_whole() const noexcept { return posted != nullptr && arrived != nullptr; }
  /// Of a whole one. It arrives after it was posted, also where clocks say otherwise: readers of traces rely on that.
  [[nodiscard]] std::int64_t arrival() const noexcept {
    return std::max(arrived->at, posted->at + 1);
  }
};

/// In the order of sender, receiver, channel and number.
std::vector<message_ends> messages_of(const detail::timeline& t);

} // namespace rondo::report
