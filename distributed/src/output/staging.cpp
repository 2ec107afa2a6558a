#include "staging.hpp"

#include <algorithm>
#include <utility>

#include <rondo/distributed/selection.hpp>

namespace rondo::detail::inline distributed {

namespace {

/// Calls `f(bytes in the field's part of the file, first byte in memory, how many)` for each run of points that is a run
/// in the file as well.
template<class F>
void for_each_run(const box<3>& points, const box<3>& whole, std::size_t size, const F& f) {
  if(points.empty())
    return;
  std::int64_t length = points.length(0);
  std::int64_t rows = points.length(1);
  std::int64_t planes = points.length(2);
  if(length == whole.length(0)) {
    length *= std::exchange(rows, 1);
    if(points.length(1) == whole.length(1))
      length *= std::exchange(planes, 1);
  }
  std::int64_t in_memory = 0;
  for(std::int64_t k = 0; k != planes; ++k)
    for(std::int64_t j = 0; j != rows; ++j) {
      const std::int64_t first =
        ((points.lo[2] + k - whole.lo[2]) * whole.length(1) + points.lo[1] + j - whole.lo[1]) *
          whole.length(0) +
        points.lo[0] - whole.lo[0];
      f(static_cast<std::uint64_t>(first) * size, static_cast<std::size_t>(in_memory) * size,
        static_cast<std::size_t>(length) * size);
      in_memory += length;
    }
}

/// Which values of a field go with a color, where the color has them in memory: none, of what all ranks have, but with the first one.
selection values_of(
  const stored_mesh& m, std::size_t c, stored_for what, std::uint64_t count, bool is_first) {
  switch(what) {
  case stored_for::points:
    return m.colors[c].what;
  case stored_for::colors:
    return selection::of(box<1>{{0}, {1}});
  case stored_for::all:
    break;
  }
  return selection::of(box<1>{{0}, {is_first ? static_cast<std::int64_t>(count) : 0}});
}
bool is_first_of_all(const stored_mesh& m, std::size_t c) {
  return c == 0 && m.state->cut().rank() == 0;
}

/// Calls `f(place in the file, first byte in memory, how many)` for each piece of the values of a color.
template<class F>
void for_each_piece(
  const file_contents::values& v, const stored_mesh& m, std::size_t c, bool is_first, const F& f) {
  const std::size_t size = size_of(v.type);
  switch(v.what_for) {
  case stored_for::points:
    for_each_run(m.colors[c].points, m.whole, size,
      [&](std::uint64_t in_file, std::size_t in_memory, std::size_t bytes) {
        f(v.offset + in_file, in_memory, bytes);
      });
    break;
  case stored_for::colors:
    f(v.offset + m.colors[c].number * size, std::size_t{0}, size);
    break;
  case stored_for::all:
    if(is_first)
      f(v.offset, std::size_t{0}, static_cast<std::size_t>(v.bytes()));
  }
}

} // namespace

void staged_color::take(
  const stored_mesh& m, std::size_t c, const std::vector<stored_field>& fields) {
  const bool is_first = is_first_of_all(m, c);
  const auto bytes_of = [&](const stored_field& f) {
    return static_cast<std::size_t>(values_of(m, c, f.what_for, f.count, is_first).size()) *
           f.state->value_size();
  };
  std::size_t bytes = 0;
  for(const stored_field& f : fields)
    bytes += bytes_of(f);
  if(bytes > room) {
    memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    room = bytes;
  }
  std::byte* to = memory.get();
  for(const stored_field& f : fields) {
    pack(f.state->block(f.state->seen_by(c)), values_of(m, c, f.what_for, f.count, is_first),
      f.state->value_size(), to);
    to += bytes_of(f);
  }
}

void staged_color::write(
  const system_file& to, const file_contents& contents, const stored_mesh& m, std::size_t c) const {
  const bool is_first = is_first_of_all(m, c);
  const std::byte* values = memory.get();
  for(const file_contents::values& f : contents.fields) {
    for_each_piece(
      f, m, c, is_first, [&](std::uint64_t in_file, std::size_t in_memory, std::size_t bytes) {
        to.write(std::span(values + in_memory, bytes), in_file);
      });
    values += static_cast<std::size_t>(values_of(m, c, f.what_for, f.count, is_first).size()) *
              size_of(f.type);
  }
}

void read_color(const system_file& from, const file_contents& contents, const stored_mesh& m,
  std::size_t c, const std::vector<stored_field>& fields) {
  const bool is_first = c == 0; // each rank reads what all have
  const auto values = [&](const file_contents::values& f) {
    return values_of(m, c, f.what_for, f.count, is_first);
  };
  std::size_t most = 0;
  for(const file_contents::values& f : contents.fields)
    most = std::max(most, static_cast<std::size_t>(values(f).size()) * size_of(f.type));
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(most);
  for(std::size_t i = 0; i != fields.size(); ++i) {
    const file_contents::values& f = contents.fields[i];
    field_state& to = *fields[i].state;
    for_each_piece(
      f, m, c, is_first, [&](std::uint64_t in_file, std::size_t in_memory, std::size_t bytes) {
        from.read(std::span(memory.get() + in_memory, bytes), in_file);
      });
    unpack(memory.get(), to.block(to.seen_by(c)), values(f), size_of(f.type));
  }
}

} // namespace rondo::detail::inline distributed
