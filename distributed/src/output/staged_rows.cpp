#include "staged_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>

#include "../rows/each_place.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// So much is read at once, if rows are no longer.
constexpr std::size_t bytes_of_window = std::size_t{1} << 20U;

void refuse_outside(const system_file& f, const file_contents::values& values) {
  throw std::runtime_error("rondo: can't read '" + f.path() +
                           "': it is damaged: a row is not within '" + values.name +
                           "', which has " + std::to_string(values.count) + " values");
}

/// Elements that have values, by where these are.
std::vector<std::size_t> in_order(const rows_in_file& where) {
  std::vector<std::size_t> order;
  for(std::size_t i = 0; i != where.lengths.size(); ++i)
    if(where.lengths[i] != 0)
      order.push_back(i);
  const auto begin = [&where](std::size_t i) { return where.begins[i]; };
  if(!std::ranges::is_sorted(order, {}, begin))
    std::ranges::sort(order, {}, begin);
  return order;
}

} // namespace

void staged_rows::take(const source& from, std::size_t value_size) {
  lengths_.clear();
  lengths_.reserve(static_cast<std::size_t>(from.elements.size()));
  size_ = 0;
  each_place(from.elements, from.layout, [&](std::int64_t place) {
    lengths_.push_back(static_cast<std::uint32_t>(from.rows.size_of(place)));
    size_ += lengths_.back();
  });
  values_.resize(static_cast<std::size_t>(size_) * value_size);
  std::byte* to = values_.data();
  each_place(from.elements, from.layout, [&](std::int64_t place) {
    if(const std::size_t bytes = from.rows.size_of(place) * value_size; bytes != 0) {
      std::memcpy(to, from.rows.row(place), bytes);
      to += bytes;
    }
  });
}

void staged_rows::take(const source& from, const stored_field& as) {
  lengths_.clear(); // nobody asks
  size_ = 0;
  each_place(
    from.elements, from.layout, [&](std::int64_t place) { size_ += from.rows.size_of(place); });
  const std::size_t size = size_of(as.type);
  values_.resize(as.convert == nullptr ? 0 : static_cast<std::size_t>(size_) * size);
  if(as.convert == nullptr) // they follow from where they are
    return;
  std::byte* to = values_.data();
  each_place(from.elements, from.layout, [&](std::int64_t place) {
    if(const std::size_t values = from.rows.size_of(place); values != 0) {
      as.convert(from.rows.row(place), values, to);
      to += values * size;
    }
  });
}

std::vector<std::int64_t> staged_rows::begins(std::uint64_t first_value) const {
  std::vector<std::int64_t> all(lengths_.size());
  std::exclusive_scan(
    lengths_.begin(), lengths_.end(), all.begin(), static_cast<std::int64_t>(first_value));
  return all;
}

std::vector<std::int64_t> numbers_from(std::uint64_t first, std::uint64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), static_cast<std::int64_t>(first));
  return all;
}

void read_rows(const system_file& f, const file_contents::values& values, const rows_in_file& where,
  row_store& into, const selection& elements, const block_layout& layout) {
  const std::size_t size = size_of(values.type);
  const auto count = static_cast<std::int64_t>(values.count);
  std::uint64_t all = 0;
  for(std::size_t i = 0; i != where.lengths.size(); ++i) {
    if(where.begins[i] < 0 || where.begins[i] > count - std::int64_t{where.lengths[i]})
      refuse_outside(f, values);
    all += where.lengths[i];
  }
  std::size_t replaced = 0;
  std::size_t more = 0;
  auto length = where.lengths.begin();
  each_place(elements, layout, [&](std::int64_t place) {
    const std::size_t before = into.size_of(place);
    replaced += before;
    more += *length > before ? *length : 0; // it goes on elsewhere
    ++length;
  });
  const bool are_all =
    replaced == into.total(); // else there are rows beyond the ends of the mesh, which stay
  if(are_all)
    into.clear();
  into.reserve(are_all ? static_cast<std::size_t>(all) : more);
  std::vector<std::int64_t> places;
  places.reserve(where.lengths.size());
  each_place(elements, layout, [&](std::int64_t place) {
    if(into.size_of(place) != where.lengths[places.size()])
      into.resize(place, where.lengths[places.size()]);
    places.push_back(place);
  });
  const std::vector<std::size_t> order = in_order(where);
  const auto end_of = [&where](std::size_t i) { return where.begins[i] + where.lengths[i]; };
  std::vector<std::byte> window;
  for(std::size_t first = 0; first != order.size();) {
    const std::int64_t begin = where.begins[order[first]];
    std::size_t last = first + 1;
    while(last != order.size() && where.begins[order[last]] == end_of(order[last - 1]) &&
          static_cast<std::size_t>(end_of(order[last]) - begin) * size <= bytes_of_window)
      ++last;
    window.resize(static_cast<std::size_t>(end_of(order[last - 1]) - begin) * size);
    f.read(window, values.offset + static_cast<std::uint64_t>(begin) * size);
    for(; first != last; ++first) {
      const std::size_t i = order[first];
      std::memcpy(into.row(places[i]),
        window.data() + static_cast<std::size_t>(where.begins[i] - begin) * size,
        where.lengths[i] * size);
    }
  }
  into.end_changes();
}

} // namespace rondo::detail::inline distributed
