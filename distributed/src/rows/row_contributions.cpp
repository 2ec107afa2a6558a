#include <rondo/distributed/row_contributions.hpp>

#include <algorithm>
#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

// ---- a message -----------------------------------------------------------------------------------

row_contributions::arrival::arrival(field_state& f, const exchange_plan::message& m,
  const growing_channel_numbers& numbers, std::uint32_t number)
    : as_region(
        f.of().home().launches(), *this, f.name(), {number, number_of_messages(m.peer, true)}),
      plan_(m), value_size_(f.value_size()), channel_(channel_of(f, m, numbers)),
      parts_(m.parts.size()) {}

void row_contributions::arrival::begin(rondo::completion done) {
  waiting_ = done;
  channel_.begin(*this);
}

void row_contributions::arrival::has_come(std::span<const std::byte> message) {
  rows_read left(message, plan_.size);
  for(std::size_t p = 0; p != parts_.size(); ++p) {
    parts_[p].lengths = left.take_lengths(static_cast<std::size_t>(plan_.parts[p].elements.size()));
    parts_[p].values = left.take_values(rows_read::sum(parts_[p].lengths) * value_size_);
  }
  std::exchange(waiting_, {}).value()();
}

const row_contributions::arrival::part& row_contributions::arrival::at(std::int64_t offset) const {
  const auto found = std::lower_bound(plan_.parts.begin(), plan_.parts.end(), offset,
    [](const exchange_plan::part& p, std::int64_t o) { return p.offset < o; });
  return parts_[static_cast<std::size_t>(found - plan_.parts.begin())];
}

// ---- all of a field ------------------------------------------------------------------------------

row_contributions::row_contributions(field_state& f)
    : field_(f), numbers_(f.of().home()), has_ghosts_(f.elements().plan.colors.size()) {
  const exchange_plan& plan = f.elements().plan;
  const std::uint32_t number = f.of().home().new_number();
  std::vector<std::vector<box<3>>> ghosts(plan.colors.size());
  const auto note_ghosts = [&](std::size_t color, const selection& s) {
    for(const box<3>& b : s.boxes())
      ghosts[color].push_back(b);
  };
  // What fills ghosts from elsewhere, backwards.
  for(const auto& m : plan.incoming) {
    outgoing_.emplace_back(f, color_part::ghosts, m, numbers_, number);
    for(const auto& p : m.parts)
      note_ghosts(p.color, p.elements);
  }
  for(const auto& c : plan.copies)
    note_ghosts(c.destination, c.to);
  for(std::size_t c = 0; c != ghosts.size(); ++c) {
    has_ghosts_[c] = !ghosts[c].empty();
    f.rows(c).make_added(f.elements().layouts[c], ghosts[c]);
  }
  for(const auto& m : plan.outgoing)
    arrivals_.emplace_back(f, m, numbers_, number);
  const auto in_order = order_contributions(plan);
  into_.resize(in_order.size());
  for(std::size_t color = 0; color != into_.size(); ++color) {
    incoming& made = into_[color];
    made.accesses.emplace_back(write(f.owned(color)));
    for(const contribution& c : in_order[color]) {
      added& a = made.all.emplace_back(added{c, {}, {}});
      if(c.from != nullptr)
        a.from = places_of(*c.from, f.elements().layouts[c.source]);
      a.into = places_of(*c.into, f.elements().layouts[color]);
      region_access access = c.is_from_message ? region_access(read(arrivals_[c.source].as_region))
                                               : region_access(read(f.ghosts(c.source)));
      const auto is_same = [&](const region_access& x) { return &x.of() == &access.of(); };
      if(std::none_of(made.accesses.begin(), made.accesses.end(), is_same))
        made.accesses.push_back(access);
    }
  }
}

void row_contributions::append_to(std::size_t color) const {
  const std::size_t value_size = field_.value_size();
  row_store& rows = field_.rows(color);
  const auto append_row = [&](std::int64_t place, const std::byte* values, std::size_t size) {
    if(size == 0)
      return;
    const std::size_t before = rows.size_of(place);
    append(rows.resize(place, before + size) + before * value_size, values, size * value_size);
  };
  for(const added& a : into_[color].all)
    if(a.what.is_from_message) {
      const arrival::part& part = arrivals_[a.what.source].at(a.what.offset);
      const std::byte* values = part.values.data();
      for(std::size_t n = 0; n != a.into.size(); ++n) {
        const std::size_t size = rows_read::length_at(part.lengths, n);
        append_row(a.into[n], values, size);
        values += size * value_size;
      }
    }
    else {
      const row_store& from = field_.rows(a.what.source).added();
      for(std::size_t n = 0; n != a.into.size(); ++n)
        append_row(a.into[n], from.row(a.from[n]), from.size_of(a.from[n]));
    }
  rows.end_changes();
}

// ---- launches --------------------------------------------------------------------------------

namespace {

class arriving_rows {
public:
  void operator()(rondo::completion done, row_contributions::arrival& a) const { a.begin(done); }
};

} // namespace

void row_contributions::launch_before(const folding& /*how*/, const std::source_location& where) {
  flow& f = field_.of().home().launches();
  for(std::size_t c = 0; c != has_ghosts_.size(); ++c)
    if(has_ghosts_[c])
      f.submit(
        named(
          "contributions: clear",
          [this, c](const color_block& /*ghosts*/) { field_.rows(c).added().clear(); }, where),
        write(field_.ghosts(c), where));
}

void row_contributions::launch_after(const folding& /*how*/, const std::source_location& where) {
  flow& f = field_.of().home().launches();
  for(rows_out& o : outgoing_)
    o.launch(f, "contributions: send", where);
  for(arrival& a : arrivals_)
    f.submit(
      ends_later("contributions: receive", arriving_rows(), where), write(a.as_region, where));
  for(std::size_t c = 0; c != into_.size(); ++c)
    if(!into_[c].all.empty())
      f.submit(named(
                 "contributions: append", [this, c]() { append_to(c); }, where),
        into_[c].accesses);
  for(arrival& a : arrivals_)
    f.submit(named(
               "contributions: taken", [](arrival& all) { all.end(); }, where),
      write(a.as_region, where));
}

} // namespace rondo::detail::inline distributed
