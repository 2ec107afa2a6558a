#pragma once

/// \file
/// Messages with rows of ragged fields. They say how long each row is, and channels grow with them: growing_channel.hpp.
///
/// | in a message | |
/// |---|---|
/// | the lengths of all rows | in the order of the plan, 4 bytes each |
/// | the values | row after row |
///
/// A message to which more colors contribute than one launch has is put together by several launches, and sent by the last one.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/growing_channel.hpp>
#include <rondo/distributed/message_end.hpp>
#include <rondo/distributed/row_store.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

class flow;

namespace detail::inline distributed {

class field_state;

/// Rows of a color, by their places.
using row_places = std::vector<std::int64_t>;

/// Sends what a color owns, or what tasks have added to its ghosts.
class rows_out final : growing_out::user {
public:
  /// `number`: of the field, or of whatever else the messages are for; to tell observers.
  rows_out(field_state& f, color_part which, const exchange_plan::message& m,
    const growing_channel_numbers& numbers, std::uint32_t number);
  void launch(flow& f, const char* name, const std::source_location& where);

private:
  class sending;

  [[nodiscard]] const row_store& rows_of(std::size_t color) const;
  std::size_t note_lengths(const part_group& g);
  void keep(const part_group& g);
  std::byte* pack(const part_group& g, std::byte* to) const;
  void begin(rondo::completion done);
  void has_room(std::byte* memory) override;

  field_state& field_;
  const color_part which_;
  const exchange_plan::message& plan_;
  growing_out channel_;
  std::vector<row_places> places_; ///< Of each part.
  std::vector<part_group> groups_;
  region<rows_out> order_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::byte> before_; ///< What all groups but the last one send.
  std::optional<rondo::completion> waiting_;
};

/// A message that has come, as two lists of which parts are taken.
class rows_read {
public:
  rows_read() = default;
  rows_read(std::span<const std::byte> message, std::int64_t rows);
  /// The next ones. Throws std::logic_error if the message is shorter than it says.
  [[nodiscard]] std::span<const std::byte> take_lengths(std::size_t rows) {
    return take(lengths_, rows * sizeof(std::uint32_t));
  }
  [[nodiscard]] std::span<const std::byte> take_values(std::size_t bytes) {
    return take(values_, bytes);
  }
  [[nodiscard]] static std::size_t length_at(std::span<const std::byte> lengths, std::size_t row) {
    std::uint32_t n = 0;
    std::memcpy(&n, lengths.data() + row * sizeof n, sizeof n);
    return n;
  }
  [[nodiscard]] static std::size_t sum(std::span<const std::byte> lengths);

private:
  static std::span<const std::byte> take(std::span<const std::byte>& from, std::size_t bytes);

  std::span<const std::byte> lengths_;
  std::span<const std::byte> values_;
};

/// How the channel begins that such messages go through.
[[nodiscard]] growing_channel_options channel_of(
  field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers);

/// Places of what is selected, and of the parts of a message.
[[nodiscard]] row_places places_of(const selection& s, const block_layout& layout);
[[nodiscard]] std::vector<row_places> places_of(
  const exchange_plan::message& m, const field_state& f);

/// Returns where the next ones go.
inline std::byte* append(std::byte* to, const std::byte* from, std::size_t bytes) {
  if(bytes != 0)
    std::memcpy(to, from, bytes);
  return to + bytes;
}

} // namespace detail::inline distributed
} // namespace rondo
