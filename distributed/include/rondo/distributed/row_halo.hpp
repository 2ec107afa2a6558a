#pragma once

/// \file
/// The halo of a ragged field. Messages say how long each row is, and channels grow with them: growing_channel.hpp.
///
/// | in a message | |
/// |---|---|
/// | the lengths of all rows | in the order of the plan, 4 bytes each |
/// | the values | row after row |
///
/// A message to which more colors contribute than a launch takes is put together by several launches, and sent by the last one.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <rondo/distributed/aligned_bytes.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/growing_channel.hpp>
#include <rondo/distributed/halo.hpp>
#include <rondo/distributed/message_end.hpp>
#include <rondo/distributed/row_store.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

class flow;

namespace detail::inline distributed {

class field_state;

/// Values of ghosts that are filled together.
class ghost_values {
public:
  /// Room for so many bytes; what was there before is nobody's any more.
  std::byte* renew(std::size_t bytes, std::size_t alignment);

private:
  aligned_bytes memory_;
  std::size_t capacity_ = 0;
};

/// Rows of a color, by their places.
using row_places = std::vector<std::int64_t>;

class rows_out final : growing_out::user {
public:
  rows_out(field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers);
  void launch(flow& f, const std::source_location& where);

private:
  class sending;

  std::size_t note_lengths(const part_group& g);
  void keep(const part_group& g);
  std::byte* pack(const part_group& g, std::byte* to) const;
  void begin(rondo::completion done);
  void has_room(std::byte* memory) override;

  field_state& field_;
  const exchange_plan::message& plan_;
  growing_out channel_;
  std::vector<row_places> places_; ///< Of each part.
  std::vector<part_group> groups_;
  region<rows_out> order_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::byte> before_; ///< What all groups but the last one send.
  std::optional<rondo::completion> waiting_;
};

class rows_in final : growing_in::user {
public:
  rows_in(field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers);
  void launch(flow& f, const std::source_location& where);

private:
  class receiving;

  void begin(rondo::completion done);
  void has_come(std::span<const std::byte> message) override;
  void unpack(std::size_t group);

  field_state& field_;
  const exchange_plan::message& plan_;
  growing_in channel_;
  std::vector<row_places> places_;
  std::vector<part_group> groups_;
  std::vector<ghost_values> values_; ///< Of each group.
  region<rows_in> order_;
  std::span<const std::byte> lengths_; ///< What is left of the message,
  std::span<const std::byte> rows_;    ///< which is two lists.
  std::optional<rondo::completion> waiting_;
};

class row_halo final : public halo {
public:
  /// Of the ghosts in the plan. Null: with the channels that the field has taken.
  row_halo(field_state& f, const exchange_plan& plan, std::unique_ptr<growing_channel_numbers> own);
  ~row_halo() override = default;

  [[nodiscard]] std::size_t colors() const override { return local_.size(); }
  void launch_messages(const std::source_location& where) override;
  void launch_copies(std::size_t color, const std::source_location& where) override;
  /// Nobody reads in place.
  void launch_clearing(std::size_t /*color*/, const std::source_location& /*where*/) override {}

private:
  struct copied {
    std::size_t source;
    row_places from;
    row_places to;
  };
  struct local {
    std::vector<copied> copies;
    std::vector<part_group> groups;
    std::vector<ghost_values> values; ///< Of each group.
  };
  void copy_group(std::size_t color, std::size_t group);

  field_state& field_;
  std::unique_ptr<growing_channel_numbers> numbers_; ///< Null: those of the field.
  std::deque<rows_out> outgoing_;
  std::deque<rows_in> incoming_;
  std::vector<local> local_; ///< For each color.
};

} // namespace detail::inline distributed
} // namespace rondo
