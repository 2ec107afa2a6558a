#include "staging.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <rondo/distributed/selection.hpp>

#include "mesh_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// The disk begins with so many of a file before all are copied. As fast as with all at once.
constexpr std::size_t bytes_of_bundle = std::size_t{8} << 20U;

/// The number of the first point of a row of a box, in the order of those of the whole mesh.
std::int64_t first_of(
  const box<3>& points, const box<3>& whole, std::int64_t row, std::int64_t plane) {
  return ((points.lo[2] + plane - whole.lo[2]) * whole.length(1) + points.lo[1] + row -
           whole.lo[1]) *
           whole.length(0) +
         points.lo[0] - whole.lo[0];
}

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
      f(static_cast<std::uint64_t>(first_of(points, whole, j, k)) * size,
        static_cast<std::size_t>(in_memory) * size, static_cast<std::size_t>(length) * size);
      in_memory += length;
    }
}

/// What an index has for a color, and what a global topology has.
selection first_values(std::uint64_t count) {
  return selection::of(box<1>{{0}, {static_cast<std::int64_t>(count)}});
}

bool has_first_of_all(const bundle& b, const stored_mesh& m) {
  return m.state->cut().rank() == 0 && b.colors.front() == 0;
}

/// Where the values of the fields are in the copy of a bundle, from the first field on.
class places {
public:
  places(const stored_mesh& m, const bundle& of)
      : m_(m), of_(of), has_first_(has_first_of_all(of, m)) {}

  [[nodiscard]] bool has_first() const { return has_first_; }
  /// Of the next field's.
  std::size_t next(stored_for what, std::uint64_t count, std::size_t size) {
    const std::size_t bytes = values(what, count) * size;
    std::size_t at = end_;
    if(bytes >= least_in_place)
      at = up_to_page(end_) + (is_of_mesh(what) ? in_page(what, size) : 0);
    end_ = at + bytes;
    return at;
  }
  [[nodiscard]] std::size_t end() const { return end_; }

private:
  [[nodiscard]] std::size_t values(stored_for what, std::uint64_t count) const {
    switch(what) {
    case stored_for::points:
    case stored_for::cells:
    case stored_for::vertices:
      return static_cast<std::size_t>(of_.box_for(what).size());
    case stored_for::colors:
      return of_.colors.size();
    case stored_for::all:
      break;
    }
    return has_first_ ? static_cast<std::size_t>(count) : 0;
  }
  /// The file's first byte of these, in its page.
  [[nodiscard]] std::size_t in_page(stored_for what, std::size_t size) const {
    return static_cast<std::size_t>(first_of(of_.box_for(what), m_.box_for(what), 0, 0)) * size %
           bytes_of_page;
  }

  const stored_mesh& m_;
  const bundle& of_;
  bool has_first_;
  std::size_t end_ = 0;
};

std::size_t bytes_of_point(const std::vector<stored_field>& fields) {
  std::size_t bytes = 0;
  for(const stored_field& f : fields)
    bytes += is_of_mesh(f.what_for) ? f.state->value_size() : 0;
  return std::max(bytes, std::size_t{1});
}

/// Values of the points of a bundle, dense, for one of its colors.
void copy_points(const color_block& from, const stored_mesh::color& color, stored_for what,
  const box<3>& all, std::size_t size, std::byte* to) {
  box<3> there = color.box_for(what);
  for(std::size_t a = 0; a != 3; ++a) {
    there.lo[a] -= all.lo[a];
    there.hi[a] -= all.lo[a];
  }
  color_block dense;
  dense.origin = to;
  dense.stride[0] = all.length(0);
  dense.stride[1] = all.length(0) * all.length(1);
  copy(from, color.selected(what), dense, selection::of(there), size);
}

/// Calls `f(number, place in the bundle, how many)` for colors with numbers one behind the other.
template<class F>
void for_each_run_of_colors(const bundle& b, const stored_mesh& m, const F& f) {
  std::size_t first = 0;
  for(std::size_t i = 1; i <= b.colors.size(); ++i)
    if(i == b.colors.size() ||
       m.colors[b.colors[i]].number != m.colors[b.colors[i - 1]].number + 1) {
      f(m.colors[b.colors[first]].number, first, i - first);
      first = i;
    }
}

} // namespace

staged_values::staged_values(std::shared_ptr<page_memory>& memory, const stored_mesh& m,
  const std::vector<stored_field>& fields)
    : bundles_(bundles_of(m, static_cast<std::int64_t>(bytes_of_bundle / bytes_of_point(fields)))),
      colors_(m.colors.size()) {
  std::size_t end = 0;
  for(std::size_t b = 0; b != bundles_.size(); ++b) {
    begins_.push_back(end);
    places at(m, bundles_[b]);
    for(const stored_field& f : fields)
      at.next(f.what_for, f.count, f.state->value_size());
    end += up_to_page(at.end());
    for(std::size_t i = 0; i != bundles_[b].colors.size(); ++i)
      colors_[bundles_[b].colors[i]] = {b, i};
  }
  if(memory == nullptr || memory->size() < end)
    memory = std::make_shared<page_memory>(end);
  memory_ = memory;
}

void staged_values::take(
  const stored_mesh& m, std::size_t c, const std::vector<stored_field>& fields) const {
  const place_of_color& in = colors_[c];
  const bundle& all = bundles_[in.bundle];
  places at(m, all);
  for(const stored_field& f : fields) {
    const std::size_t size = f.state->value_size();
    std::byte* const to =
      memory_->begin() + begins_[in.bundle] + at.next(f.what_for, f.count, size);
    const color_block& from = f.state->block(f.state->seen_by(c));
    switch(f.what_for) {
    case stored_for::points:
    case stored_for::cells:
    case stored_for::vertices:
      if(!m.colors[c].box_for(f.what_for).empty())
        copy_points(from, m.colors[c], f.what_for, all.box_for(f.what_for), size, to);
      break;
    case stored_for::colors:
      pack(from, first_values(1), size, to + in.in_bundle * size);
      break;
    case stored_for::all:
      if(at.has_first() && c == 0)
        pack(from, first_values(f.count), size, to);
    }
  }
}

void staged_values::write(
  const system_file& to, const file_contents& contents, const stored_mesh& m, std::size_t b) const {
  const bundle& all = bundles_[b];
  places at(m, all);
  for(const file_contents::values& f : contents.fields) {
    const std::size_t size = size_of(f.type);
    const std::byte* const values =
      memory_->begin() + begins_[b] + at.next(f.what_for, f.count, size);
    switch(f.what_for) {
    case stored_for::points:
    case stored_for::cells:
    case stored_for::vertices:
      for_each_run(all.box_for(f.what_for), m.box_for(f.what_for), size,
        [&](std::uint64_t in_file, std::size_t in_memory, std::size_t bytes) {
          to.write(std::span(values + in_memory, bytes), f.offset + in_file);
        });
      break;
    case stored_for::colors:
      for_each_run_of_colors(all, m, [&](color_id first, std::size_t in_bundle, std::size_t n) {
        to.write(std::span(values + in_bundle * size, n * size), f.offset + first * size);
      });
      break;
    case stored_for::all:
      if(at.has_first())
        to.write(std::span(values, static_cast<std::size_t>(f.bytes())), f.offset);
    }
  }
  if(contents.mesh.has_value())
    write_mesh(to, *contents.mesh, m, all);
}

void read_color(const system_file& from, const file_contents& contents, const stored_mesh& m,
  std::size_t c, const std::vector<stored_field>& fields, const element_places& places) {
  std::vector<std::byte> memory;
  for(std::size_t i = 0; i != fields.size(); ++i) {
    const file_contents::values& f = contents.fields[i];
    const std::size_t size = size_of(f.type);
    field_state& to = *fields[i].state;
    const auto read = [&](std::uint64_t in_file, std::size_t in_memory, std::size_t bytes) {
      from.read(std::span(memory.data() + in_memory, bytes), f.offset + in_file);
    };
    const auto read_into = [&](const selection& what, const auto& each_piece) {
      memory.resize(static_cast<std::size_t>(what.size()) * size);
      each_piece();
      unpack(memory.data(), to.block(to.seen_by(c)), what, size);
    };
    switch(f.what_for) {
    case stored_for::points:
    case stored_for::cells:
    case stored_for::vertices:
      read_into(m.colors[c].selected(f.what_for), [&] {
        const std::span<const std::int64_t> at = places.of(f.what_for, c);
        if(at.empty())
          for_each_run(m.colors[c].box_for(f.what_for), m.box_for(f.what_for), size, read);
        else
          read_from(from, f.offset, at, size, memory.data());
      });
      break;
    case stored_for::colors:
      read_into(first_values(1), [&] { read(m.colors[c].number * size, 0, size); });
      break;
    case stored_for::all:
      if(c == 0) // each rank reads what all have
        read_into(first_values(f.count), [&] { read(0, 0, static_cast<std::size_t>(f.bytes())); });
    }
  }
}

} // namespace rondo::detail::inline distributed
