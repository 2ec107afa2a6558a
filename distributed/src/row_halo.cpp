#include <rondo/distributed/row_halo.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

#include "submit_over.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// Messages begin with channels for so many values in each row; from there on they grow.
constexpr std::size_t values_to_begin_with = 4;
constexpr std::size_t least_capacity = 1024;

growing_channel_options channel_of(
  field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers) {
  const auto rows = static_cast<std::size_t>(m.size);
  const std::size_t each = sizeof(std::uint32_t) + values_to_begin_with * f.value_size();
  return {f.of().home().messages(), numbers, m.peer, std::max(rows * each, least_capacity)};
}

row_places places_of(const selection& s, const block_layout& layout) {
  row_places all;
  all.reserve(static_cast<std::size_t>(s.size()));
  for(const box<3>& b : s.boxes())
    b.for_each_row([&](const point<3>& p, std::int64_t length) {
      const std::int64_t first = layout.place(p);
      for(std::int64_t i = 0; i != length; ++i)
        all.push_back(first + i);
    });
  return all;
}

std::vector<row_places> places_of(const exchange_plan::message& m, const field_state& f) {
  std::vector<row_places> all;
  for(const exchange_plan::part& p : m.parts)
    all.push_back(places_of(p.elements, f.elements().layouts[p.color]));
  return all;
}

std::size_t color_of(const exchange_plan::part& p) { return p.color; }

/// The next bytes of a list.
std::span<const std::byte> take(std::span<const std::byte>& from, std::size_t bytes) {
  if(bytes > from.size())
    throw std::logic_error("rondo: a message with rows of a ragged field is shorter than it says");
  const auto taken = from.first(bytes);
  from = from.subspan(bytes);
  return taken;
}

std::byte* append(std::byte* to, const std::byte* from, std::size_t bytes) {
  if(bytes != 0)
    std::memcpy(to, from, bytes);
  return to + bytes;
}

std::size_t length_at(std::span<const std::byte> lengths, std::size_t row) {
  std::uint32_t n = 0;
  std::memcpy(&n, lengths.data() + row * sizeof n, sizeof n);
  return n;
}

} // namespace

std::byte* ghost_values::renew(std::size_t bytes, std::size_t alignment) {
  if(bytes > capacity_) {
    memory_.reset();
    capacity_ = bytes + bytes / 4;
    memory_ = allocate_aligned(capacity_, alignment);
  }
  return memory_.get();
}

// ---- sending -----------------------------------------------------------------------------------

rows_out::rows_out(
  field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers)
    : field_(f), plan_(m), channel_(channel_of(f, m, numbers)), places_(places_of(m, f)),
      groups_(
        group_up(m.parts, color_of, [&f](std::size_t color) -> auto& { return f.owned(color); })),
      order_(f.of().home().launches(), *this, f.name(),
        {f.number(), number_of_messages(m.peer, false)}) {
  lengths_.reserve(static_cast<std::size_t>(m.size));
}

/// Returns how many bytes the values are.
std::size_t rows_out::note_lengths(const part_group& g) {
  std::size_t values = 0;
  for(std::size_t i = g.first; i != g.last; ++i) {
    const row_store& rows = field_.rows(plan_.parts[i].color);
    for(const std::int64_t p : places_[i]) {
      lengths_.push_back(static_cast<std::uint32_t>(rows.size_of(p)));
      values += rows.size_of(p);
    }
  }
  return values * field_.value_size();
}

std::byte* rows_out::pack(const part_group& g, std::byte* to) const {
  for(std::size_t i = g.first; i != g.last; ++i) {
    const row_store& rows = field_.rows(plan_.parts[i].color);
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
  template<class... A>
  void operator()(rondo::completion done, rows_out& all, const A&...) const {
    all.begin(done);
  }
};

void rows_out::launch(flow& f, const std::source_location& where) {
  for(const part_group& g : groups_) {
    const std::span<region<color_block>* const> colors(g.of);
    if(&g == &groups_.back())
      submit_over<part_group::most_colors>(
        f, ends_later("halo: send", sending(), where), writing, order_, reading, colors, where);
    else
      submit_over<part_group::most_colors>(f,
        named(
          "halo: send", [part = &g](rows_out& all, const auto&...) { all.keep(*part); }, where),
        writing, order_, reading, colors, where);
  }
}

// ---- receiving ---------------------------------------------------------------------------------

rows_in::rows_in(
  field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers)
    : field_(f), plan_(m), channel_(channel_of(f, m, numbers)), places_(places_of(m, f)),
      groups_(
        group_up(m.parts, color_of, [&f](std::size_t color) -> auto& { return f.ghosts(color); })),
      values_(groups_.size()), order_(f.of().home().launches(), *this, f.name(),
                                 {f.number(), number_of_messages(m.peer, true)}) {}

void rows_in::begin(rondo::completion done) {
  waiting_ = done;
  channel_.begin(*this);
}

void rows_in::has_come(std::span<const std::byte> message) {
  rows_ = message;
  lengths_ = take(rows_, static_cast<std::size_t>(plan_.size) * sizeof(std::uint32_t));
  const rondo::completion done = std::exchange(waiting_, {}).value();
  unpack(0);
  done();
}

void rows_in::unpack(std::size_t group) {
  const part_group& g = groups_[group];
  std::size_t rows_of_group = 0;
  for(std::size_t i = g.first; i != g.last; ++i)
    rows_of_group += places_[i].size();
  const auto lengths = take(lengths_, rows_of_group * sizeof(std::uint32_t));
  std::size_t values = 0;
  for(std::size_t n = 0; n != rows_of_group; ++n)
    values += length_at(lengths, n);
  const auto bytes = take(rows_, values * field_.value_size());
  std::byte* at = values_[group].renew(bytes.size(), field_.value_alignment());
  append(at, bytes.data(), bytes.size());
  std::size_t n = 0;
  for(std::size_t i = g.first; i != g.last; ++i) {
    row_store& rows = field_.rows(plan_.parts[i].color);
    for(const std::int64_t p : places_[i]) {
      const std::size_t size = length_at(lengths, n++);
      rows.ghost(p) = {at, size};
      at += size * field_.value_size();
    }
  }
  if(group + 1 == groups_.size())
    channel_.end();
}

class rows_in::receiving {
public:
  template<class... A>
  void operator()(rondo::completion done, rows_in& all, const A&...) const {
    all.begin(done);
  }
};

void rows_in::launch(flow& f, const std::source_location& where) {
  for(std::size_t g = 0; g != groups_.size(); ++g) {
    const std::span<region<color_block>* const> colors(groups_[g].of);
    if(g == 0)
      submit_over<part_group::most_colors>(f, ends_later("halo: receive", receiving(), where),
        writing, order_, writing_a_part, colors, where);
    else
      submit_over<part_group::most_colors>(f,
        named(
          "halo: receive", [g](rows_in& all, const auto&...) { all.unpack(g); }, where),
        writing, order_, writing_a_part, colors, where);
  }
}

// ---- the halo ----------------------------------------------------------------------------------

row_halo::row_halo(
  field_state& f, const exchange_plan& plan, std::unique_ptr<growing_channel_numbers> own)
    : field_(f), numbers_(std::move(own)), local_(plan.colors.size()) {
  const growing_channel_numbers& numbers = numbers_ != nullptr ? *numbers_ : f.channels_of_rows();
  for(const auto& m : plan.outgoing)
    outgoing_.emplace_back(f, m, numbers);
  for(const auto& m : plan.incoming)
    incoming_.emplace_back(f, m, numbers);
  for(std::size_t color = 0; color != local_.size(); ++color) {
    local& here = local_[color];
    for(const exchange_plan::copy& c : plan.copies_into(color))
      here.copies.push_back({c.source, places_of(c.from, f.elements().layouts[c.source]),
        places_of(c.to, f.elements().layouts[color])});
    here.groups = group_up(
      here.copies, [](const copied& c) { return c.source; },
      [&f](std::size_t source) -> auto& { return f.owned(source); });
    here.values.resize(here.groups.size());
  }
}

void row_halo::launch_messages(const std::source_location& where) {
  for(rows_out& m : outgoing_)
    m.launch(field_.of().home().launches(), where);
  for(rows_in& m : incoming_)
    m.launch(field_.of().home().launches(), where);
}

void row_halo::copy_group(std::size_t color, std::size_t group) {
  local& here = local_[color];
  const part_group& g = here.groups[group];
  const std::span<const copied> copies = std::span(here.copies).subspan(g.first, g.last - g.first);
  std::size_t values = 0;
  for(const copied& c : copies)
    for(const std::int64_t p : c.from)
      values += field_.rows(c.source).size_of(p);
  std::byte* at = here.values[group].renew(values * field_.value_size(), field_.value_alignment());
  row_store& to = field_.rows(color);
  for(const copied& c : copies) {
    const row_store& from = field_.rows(c.source);
    for(std::size_t n = 0; n != c.from.size(); ++n) {
      const std::size_t size = from.size_of(c.from[n]);
      to.ghost(c.to[n]) = {at, size};
      at = append(at, from.row(c.from[n]), size * field_.value_size());
    }
  }
}

void row_halo::launch_copies(std::size_t color, const std::source_location& where) {
  for(std::size_t g = 0; g != local_[color].groups.size(); ++g)
    submit_over<part_group::most_colors>(field_.of().home().launches(),
      named(
        "halo: copy", [this, color, g](const auto&...) { copy_group(color, g); }, where),
      writing_a_part, field_.ghosts(color), reading,
      std::span<region<color_block>* const>(local_[color].groups[g].of), where);
}

} // namespace rondo::detail::inline distributed
