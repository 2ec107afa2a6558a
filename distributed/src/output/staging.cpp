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

std::size_t points_of(const stored_mesh::color& c) {
  return static_cast<std::size_t>(c.points.size());
}

} // namespace

void staged_color::take(
  const stored_mesh& m, std::size_t c, const std::vector<stored_field>& fields) {
  const stored_mesh::color& color = m.colors[c];
  std::size_t bytes = 0;
  for(const stored_field& f : fields)
    bytes += points_of(color) * f.state->value_size();
  if(bytes > room) {
    memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    room = bytes;
  }
  std::byte* to = memory.get();
  for(const stored_field& f : fields) {
    pack(f.state->block(c), color.what, f.state->value_size(), to);
    to += points_of(color) * f.state->value_size();
  }
}

void staged_color::write(
  const system_file& to, const file_contents& contents, const stored_mesh& m, std::size_t c) const {
  const std::byte* values = memory.get();
  for(const file_contents::values& f : contents.fields) {
    const std::size_t size = size_of(f.type);
    for_each_run(m.colors[c].points, m.whole, size,
      [&](std::uint64_t in_file, std::size_t in_memory, std::size_t bytes) {
        to.write(std::span(values + in_memory, bytes), f.offset + in_file);
      });
    values += points_of(m.colors[c]) * size;
  }
}

void read_color(const system_file& from, const file_contents& contents, const stored_mesh& m,
  std::size_t c, const std::vector<stored_field>& fields) {
  const stored_mesh::color& color = m.colors[c];
  std::size_t most = 0;
  for(const file_contents::values& f : contents.fields)
    most = std::max(most, points_of(color) * size_of(f.type));
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(most);
  for(std::size_t i = 0; i != fields.size(); ++i) {
    const std::size_t size = size_of(contents.fields[i].type);
    for_each_run(color.points, m.whole, size,
      [&](std::uint64_t in_file, std::size_t in_memory, std::size_t bytes) {
        from.read(std::span(memory.get() + in_memory, bytes), contents.fields[i].offset + in_file);
      });
    unpack(memory.get(), fields[i].state->block(c), color.what, size);
  }
}

} // namespace rondo::detail::inline distributed
