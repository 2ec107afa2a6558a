#include "staging.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include <rondo/distributed/selection.hpp>

#include "mesh_arrays.hpp"
#include "runs.hpp"
#include "stored_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// The disk begins with so many of a file before all are copied. As fast as with all at once.
constexpr std::size_t bytes_of_bundle = std::size_t{8} << 20U;

bool bundle_has_global(const bundle& b, const stored_mesh& m) {
  return m.colors[b.colors.front()].has_global();
}

/// Where the values of the fields are in the copy of a bundle, from the first field on.
class places {
public:
  places(const stored_mesh& m, const bundle& of)
      : m_(m), of_(of), has_global_(bundle_has_global(of, m)) {}

  [[nodiscard]] bool has_global() const { return has_global_; }
  /// Of the next array's.
  std::size_t next(const file_contents::values& a) {
    const std::size_t size = size_of(a.type);
    const std::size_t bytes = values(a.what_for, a.count) * size;
    std::size_t at = end_;
    if(bytes >= least_in_place)
      at = up_to_page(end_) + (a.is_of_mesh() ? in_page(a.what_for, size) : 0);
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
    case stored_for::faces:
    case stored_for::edges:
      return static_cast<std::size_t>(of_.box_for(what).size());
    case stored_for::colors:
      return of_.colors.size();
    case stored_for::rows: // they are elsewhere
      return 0;
    case stored_for::all:
      break;
    }
    return has_global_ ? static_cast<std::size_t>(count) : 0;
  }
  /// The file's first byte of these, in its page.
  [[nodiscard]] std::size_t in_page(stored_for what, std::size_t size) const {
    return static_cast<std::size_t>(number_of_first(of_.box_for(what), m_.box_for(what), 0, 0)) *
           size % bytes_of_page;
  }

  const stored_mesh& m_;
  const bundle& of_;
  bool has_global_;
  std::size_t end_ = 0;
};

std::size_t bytes_of_point(const std::vector<file_contents::values>& arrays) {
  std::size_t bytes = 0;
  for(const file_contents::values& a : arrays)
    bytes += a.is_of_mesh() ? size_of(a.type) : 0;
  return std::max(bytes, std::size_t{1});
}

/// Where the elements of a color are among those of its bundle, which are dense.
struct place_in_bundle {
  color_block dense;
  selection what;

  place_in_bundle(const stored_mesh::color& color, stored_for w, const box<3>& all, std::byte* to) {
    box<3> there = color.box_for(w);
    for(std::size_t a = 0; a != 3; ++a) {
      there.lo[a] -= all.lo[a];
      there.hi[a] -= all.lo[a];
    }
    what = selection::of(there);
    dense.origin = to;
    dense.stride[0] = all.length(0);
    dense.stride[1] = all.length(0) * all.length(1);
  }
};

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

staged_values::staged_values(
  kept& memory, const stored_mesh& m, const std::vector<stored_field>& fields)
    : arrays_(arrays_of(fields)),
      bundles_(
        bundles_of(m, static_cast<std::int64_t>(bytes_of_bundle / bytes_of_point(arrays_)))) {
  layout_.colors.resize(m.colors.size());
  for(std::size_t b = 0; b != bundles_.size(); ++b) {
    layout_.begins.push_back(layout_.end);
    places at(m, bundles_[b]);
    for(const file_contents::values& a : arrays_)
      at.next(a);
    layout_.end += up_to_page(at.end());
    for(std::size_t i = 0; i != bundles_[b].colors.size(); ++i)
      layout_.colors[bundles_[b].colors[i]] = {b, i};
  }
  auto found = std::ranges::find(memory.memories, layout_, &kept::of_layout::where);
  if(found == memory.memories.end()) {
    if(memory.memories.size() == kept::most)
      memory.memories.erase(memory.memories.begin());
    memory.memories.push_back({layout_, std::make_shared<page_memory>(layout_.end)});
    found = std::prev(memory.memories.end());
  }
  memory_ = found->memory;
  for(const stored_field& f : fields)
    fields_with_rows_ += f.state->has_rows() ? 1 : 0;
  if(fields_with_rows_ != 0 && (memory.rows == nullptr || memory.rows->empty() ||
                                 memory.rows->front().size() < fields_with_rows_))
    memory.rows = std::make_shared<rows_of_colors>(
      m.colors.size(), std::vector<staged_rows>(fields_with_rows_));
  rows_ = memory.rows;
}

void staged_values::take(
  const stored_mesh& m, std::size_t c, const std::vector<stored_field>& fields) const {
  const place_of_color& in = layout_.colors[c];
  const bundle& all = bundles_[in.bundle];
  places at(m, all);
  std::size_t row_field = 0;
  for(const file_contents::values& a : arrays_) {
    const stored_field& as = fields[a.field];
    const field_state& f = *as.state;
    const std::size_t size = size_of(a.type);
    std::byte* const to = memory_->begin() + layout_.begins[in.bundle] + at.next(a);
    if(a.part == row_part::cells) {
      const std::uint64_t hash = hash_of_cells(m, c);
      std::memcpy(to + in.in_bundle * size, &hash, size);
    }
    if(a.part == row_part::lengths || as.part != row_part::none) {
      const selection elements = elements_of(m, c, as.what_for);
      const staged_rows::source from{f.rows(c), elements, f.elements().layouts[c]};
      staged_rows& its = (*rows_)[c][row_field++];
      if(as.part != row_part::none)
        its.take(from, as);
      else
        its.take(from, f.value_size());
    }
    if(a.part != row_part::none)
      continue;
    const color_block& from = f.block(f.seen_by(c));
    switch(a.what_for) {
    case stored_for::points:
    case stored_for::cells:
    case stored_for::vertices:
    case stored_for::faces:
    case stored_for::edges:
      if(!m.colors[c].box_for(a.what_for).empty()) {
        const place_in_bundle there(m.colors[c], a.what_for, all.box_for(a.what_for), to);
        copy(from, m.colors[c].selected(a.what_for), there.dense, there.what, size);
      }
      break;
    case stored_for::colors:
      pack(from, first_values(1), size, to + in.in_bundle * size);
      break;
    case stored_for::rows:
      break;
    case stored_for::all:
      if(m.colors[c].has_global())
        pack(from, first_values(a.count), size, to);
    }
  }
}

row_counts staged_values::count_rows(std::size_t colors) const {
  row_counts all{};
  for(std::size_t c = 0; c != colors; ++c)
    for(std::size_t i = 0; i != fields_with_rows_; ++i) {
      staged_rows& its = (*rows_)[c][i];
      its.first = all[i];
      all[i] += its.size();
    }
  return all;
}

/// The lengths and begins of rows become arrays as those of other fields; all colors are copied, so it is known where they begin.
void staged_values::put_rows(const file_contents::values& array, std::size_t row_field,
  const stored_mesh& m, const bundle& b, std::uint64_t before, std::byte* to) const {
  const std::size_t size = size_of(array.type);
  for(std::size_t i = 0; i != b.colors.size(); ++i) {
    const std::size_t c = b.colors[i];
    const staged_rows& its = (*rows_)[c][row_field];
    const std::vector<std::int64_t> begins =
      array.part == row_part::begins ? its.begins(before + its.first) : std::vector<std::int64_t>();
    const std::byte* const from = array.part == row_part::begins
                                    ? std::as_bytes(std::span(begins)).data()
                                    : std::as_bytes(its.lengths()).data();
    if(!array.is_of_mesh())
      std::memcpy(to + i * size, from, size);
    else if(!m.colors[c].box_for(array.what_for).empty()) {
      const place_in_bundle there(m.colors[c], array.what_for, b.box_for(array.what_for), to);
      unpack(from, there.dense, there.what, size);
    }
  }
}

void staged_values::write(const system_file& to, const file_contents& contents,
  const stored_mesh& m, std::size_t b, const row_counts& before) const {
  const bundle& all = bundles_[b];
  places at(m, all);
  std::size_t row_field = 0;
  for(const file_contents::values& f : contents.fields) {
    const std::size_t size = size_of(f.type);
    std::byte* const values = memory_->begin() + layout_.begins[b] + at.next(f);
    if(f.part == row_part::lengths || f.part == row_part::begins)
      put_rows(f, row_field, m, all, before[row_field], values);
    switch(f.what_for) {
    case stored_for::points:
    case stored_for::cells:
    case stored_for::vertices:
    case stored_for::faces:
    case stored_for::edges:
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
    case stored_for::rows:
      for(const std::size_t c : all.colors) {
        const staged_rows& its = (*rows_)[c][row_field];
        const std::uint64_t first = before[row_field] + its.first;
        if(f.part == row_part::numbers || f.part == row_part::ends) {
          const std::uint64_t one = f.part == row_part::ends ? 1 : 0;
          const std::vector<std::int64_t> numbers = numbers_from(first + one, its.size());
          to.write(std::as_bytes(std::span(numbers)), f.offset + first * size);
        }
        else if(its.size() != 0)
          to.write(its.values(), f.offset + first * size);
      }
      ++row_field;
      break;
    case stored_for::all:
      if(at.has_global())
        to.write(std::span(values, static_cast<std::size_t>(f.bytes())), f.offset);
    }
  }
  if(contents.mesh.has_value())
    write_mesh(to, *contents.mesh, m, all);
}

} // namespace rondo::detail::inline distributed
