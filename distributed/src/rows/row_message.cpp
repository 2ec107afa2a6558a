#include <rondo/distributed/row_message.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

#include "each_place.hpp"

namespace rondo::detail::inline distributed {

growing_channel_options channel_of(
  field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers) {
  // They begin with so many values in each row; from there on they grow.
  constexpr std::size_t values_to_begin_with = 4;
  constexpr std::size_t least_capacity = 1024;
  const auto rows = static_cast<std::size_t>(m.size);
  const std::size_t each = sizeof(std::uint32_t) + values_to_begin_with * f.value_size();
  return {f.of().home().messages(), numbers, m.peer, std::max(rows * each, least_capacity)};
}

row_places places_of(const selection& s, const block_layout& layout) {
  row_places all;
  all.reserve(static_cast<std::size_t>(s.size()));
  each_place(s, layout, [&all](std::int64_t place) { all.push_back(place); });
  return all;
}

std::vector<row_places> places_of(const exchange_plan::message& m, const field_state& f) {
  std::vector<row_places> all;
  for(const exchange_plan::part& p : m.parts)
    all.push_back(places_of(p.elements, f.elements().layouts[p.color]));
  return all;
}

// ---- sending -----------------------------------------------------------------------------------

rows_out::rows_out(field_state& f, color_part which, const exchange_plan::message& m,
  const growing_channel_numbers& numbers, std::uint32_t number)
    : field_(f), which_(which), plan_(m), channel_(channel_of(f, m, numbers)),
      places_(places_of(m, f)),
      groups_(group_up(
        m.parts, [](const exchange_plan::part& x) { return x.color; },
        [&f, which](std::size_t color) {
          return read(which == color_part::owned ? f.owned(color) : f.ghosts(color));
        })),
      order_(
        f.of().home().launches(), *this, f.name(), {number, number_of_messages(m.peer, false)}) {
  lengths_.reserve(static_cast<std::size_t>(m.size));
}

const row_store& rows_out::rows_of(std::size_t color) const {
  row_store& owned = field_.rows(color);
  return which_ == color_part::owned ? owned : owned.added();
}

/// Returns how many bytes the values are.
std::size_t rows_out::note_lengths(const part_group& g) {
  std::size_t values = 0;
  for(std::size_t i = g.first; i != g.last; ++i) {
    const row_store& rows = rows_of(plan_.parts[i].color);
    for(const std::int64_t p : places_[i]) {
      lengths_.push_back(static_cast<std::uint32_t>(rows.size_of(p)));
      values += rows.size_of(p);
    }
  }
  return values * field_.value_size();
}

std::byte* rows_out::pack(const part_group& g, std::byte* to) const {
  for(std::size_t i = g.first; i != g.last; ++i) {
    const row_store& rows = rows_of(plan_.parts[i].color);
    for(const std::int64_t p : places_[i])
      to = append(to, rows.row(p), rows.size_of(p) * field_.value_size());
  }
  return to;
}

/// Not the last one.
void rows_out::keep(const part_group& g) {
  const std::size_t bytes = note_lengths(g);
  before_.resize(before_.size() + bytes);
  pack(g, before_.data() + (before_.size() - bytes));
}

/// The last one.
void rows_out::begin(rondo::completion done) {
  const std::size_t bytes = note_lengths(groups_.back());
  waiting_ = done;
  channel_.begin(lengths_.size() * sizeof(std::uint32_t) + before_.size() + bytes, *this);
}

void rows_out::has_room(std::byte* memory) {
  memory = append(memory, reinterpret_cast<const std::byte*>(lengths_.data()),
    lengths_.size() * sizeof(std::uint32_t));
  memory = append(memory, before_.data(), before_.size());
  pack(groups_.back(), memory);
  lengths_.clear();
  before_.clear();
  const rondo::completion done = std::exchange(waiting_, {}).value();
  channel_.send();
  done();
}

class rows_out::sending {
public:
  void operator()(rondo::completion done, rows_out& all) const { all.begin(done); }
};

void rows_out::launch(flow& f, const char* name, const std::source_location& where) {
  for(const part_group& g : groups_)
    if(&g == &groups_.back())
      f.submit(ends_later(name, sending(), where), write(order_, where), g.accesses);
    else
      f.submit(named(
                 name, [part = &g](rows_out& all) { all.keep(*part); }, where),
        write(order_, where), g.accesses);
}

// ---- what has come -----------------------------------------------------------------------------

rows_read::rows_read(std::span<const std::byte> message, std::int64_t rows) : values_(message) {
  lengths_ = take(values_, static_cast<std::size_t>(rows) * sizeof(std::uint32_t));
}

std::size_t rows_read::sum(std::span<const std::byte> lengths) {
  std::size_t all = 0;
  for(std::size_t n = 0; n != lengths.size() / sizeof(std::uint32_t); ++n)
    all += length_at(lengths, n);
  return all;
}

std::span<const std::byte> rows_read::take(std::span<const std::byte>& from, std::size_t bytes) {
  if(bytes > from.size())
    throw std::logic_error("rondo: a message with rows of a ragged field is shorter than it says");
  const auto taken = from.first(bytes);
  from = from.subspan(bytes);
  return taken;
}

} // namespace rondo::detail::inline distributed
