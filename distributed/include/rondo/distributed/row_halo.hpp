#pragma once

/// \file
/// The halo of a ragged field: messages as row_message.hpp says.

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
#include <rondo/distributed/row_message.hpp>
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
  rows_read message_;
  std::optional<rondo::completion> waiting_;
};

class row_halo final : public halo {
public:
  /// Of the ghosts in the plan. If `own` is null, with the channels that the field has taken.
  row_halo(field_state& f, const exchange_plan& plan, std::unique_ptr<growing_channel_numbers> own);
  ~row_halo() override = default;

  [[nodiscard]] std::size_t colors() const override { return local_.size(); }
  /// Nobody reads in place.
  void launch_clearing(std::size_t /*color*/, const std::source_location& /*where*/) override {}
  [[nodiscard]] std::span<const region_access> neighbours_in_place(
    std::size_t /*color*/) const override {
    return {};
  }

private:
  void exchange(const std::source_location& where) override;
  void copy_into(std::size_t color, const std::source_location& where) override;
  void wait_for_neighbours(std::size_t /*color*/, const std::source_location& /*where*/) override {}
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

  std::unique_ptr<growing_channel_numbers> numbers_; ///< Null if they are those of the field.
  std::deque<rows_out> outgoing_;
  std::deque<rows_in> incoming_;
  std::vector<local> local_; ///< For each color.
};

} // namespace detail::inline distributed
} // namespace rondo
