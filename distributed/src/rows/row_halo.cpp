#include <rondo/distributed/row_halo.hpp>

#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

std::byte* ghost_values::renew(std::size_t bytes, std::size_t alignment) {
  if(bytes > capacity_) {
    memory_.reset();
    capacity_ = bytes + bytes / 4;
    memory_ = allocate_aligned(capacity_, alignment);
  }
  return memory_.get();
}

// ---- receiving ---------------------------------------------------------------------------------

rows_in::rows_in(
  field_state& f, const exchange_plan::message& m, const growing_channel_numbers& numbers)
    : field_(f), plan_(m), channel_(channel_of(f, m, numbers)), places_(places_of(m, f)),
      groups_(group_up(
        m.parts, [](const exchange_plan::part& x) { return x.color; },
        [&f](std::size_t color) { return write_part(f.ghosts(color)); })),
      values_(groups_.size()), order_(f.of().home().launches(), *this, f.name(),
                                 {f.number(), number_of_messages(m.peer, true)}) {}

void rows_in::begin(rondo::completion done) {
  waiting_ = done;
  channel_.begin(*this);
}

void rows_in::has_come(std::span<const std::byte> message) {
  message_ = rows_read(message, plan_.size);
  const rondo::completion done = std::exchange(waiting_, {}).value();
  unpack(0);
  done();
}

void rows_in::unpack(std::size_t group) {
  const part_group& g = groups_[group];
  std::size_t rows_of_group = 0;
  for(std::size_t i = g.first; i != g.last; ++i)
    rows_of_group += places_[i].size();
  const auto lengths = message_.take_lengths(rows_of_group);
  const auto values = message_.take_values(rows_read::sum(lengths) * field_.value_size());
  std::byte* at = values_[group].renew(values.size(), field_.value_alignment());
  append(at, values.data(), values.size());
  std::size_t n = 0;
  for(std::size_t i = g.first; i != g.last; ++i) {
    row_store& rows = field_.rows(plan_.parts[i].color);
    for(const std::int64_t p : places_[i]) {
      const std::size_t size = rows_read::length_at(lengths, n++);
      rows.ghost(p) = {at, size};
      at += size * field_.value_size();
    }
  }
  if(group + 1 == groups_.size())
    channel_.end();
}

class rows_in::receiving {
public:
  void operator()(rondo::completion done, rows_in& all) const { all.begin(done); }
};

void rows_in::launch(flow& f, const std::source_location& where) {
  for(std::size_t g = 0; g != groups_.size(); ++g)
    if(g == 0)
      f.submit(
        ends_later("halo: receive", receiving(), where), write(order_, where), groups_[g].accesses);
    else
      f.submit(named(
                 "halo: receive", [g](rows_in& all) { all.unpack(g); }, where),
        write(order_, where), groups_[g].accesses);
}

// ---- the halo ----------------------------------------------------------------------------------

row_halo::row_halo(
  field_state& f, const exchange_plan& plan, std::unique_ptr<growing_channel_numbers> own)
    : halo(f), numbers_(std::move(own)), local_(plan.colors.size()) {
  const growing_channel_numbers& numbers = numbers_ != nullptr ? *numbers_ : f.channels_of_rows();
  for(const auto& m : plan.outgoing)
    outgoing_.emplace_back(f, color_part::owned, m, numbers, f.number());
  for(const auto& m : plan.incoming)
    incoming_.emplace_back(f, m, numbers);
  for(std::size_t color = 0; color != local_.size(); ++color) {
    local& here = local_[color];
    for(const exchange_plan::copy& c : plan.copies_into(color))
      here.copies.push_back({c.source, places_of(c.from, f.elements().layouts[c.source]),
        places_of(c.to, f.elements().layouts[color])});
    here.groups = group_up(
      here.copies, [](const copied& c) { return c.source; },
      [&f](std::size_t source) { return read(f.owned(source)); });
    here.values.resize(here.groups.size());
  }
}

void row_halo::exchange(const std::source_location& where) {
  for(rows_out& m : outgoing_)
    m.launch(field_.of().home().launches(), "halo: send", where);
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

void row_halo::copy_into(std::size_t color, const std::source_location& where) {
  for(std::size_t g = 0; g != local_[color].groups.size(); ++g)
    field_.of().home().launches().submit(
      named(
        "halo: copy", [this, color, g](const color_block& /*to*/) { copy_group(color, g); }, where),
      write_part(field_.ghosts(color), where), local_[color].groups[g].accesses);
}

} // namespace rondo::detail::inline distributed
