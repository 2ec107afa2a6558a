#include "tables.hpp"

#include <algorithm>
#include <utility>

#include "shapes.hpp"

namespace rondo::detail::inline meshes {

void element_table::set(std::vector<std::int32_t> begins, std::vector<std::int32_t> entries) {
  is_there_ = true;
  entries_ = std::move(entries);
  entries_.shrink_to_fit();
  begins_ = std::move(begins);
  begins_.shrink_to_fit();
  begins_at_ = begins_.data();
}

void element_table::set_or_length(
  std::vector<std::int32_t> begins, std::vector<std::int32_t> entries) {
  const std::int32_t length = begins.size() > 1 ? begins[1] - begins[0] : 0;
  for(std::size_t r = 1; r + 1 < begins.size(); ++r)
    if(begins[r + 1] - begins[r] != length)
      return set(std::move(begins), std::move(entries));
  set({}, std::move(entries));
  begins_at_ = nullptr;
  length_ = length;
}

namespace {

/// Pairs (row, entry), to become a table.
class pairs {
public:
  explicit pairs(std::int64_t rows) : begins_(static_cast<std::size_t>(rows) + 1) {}

  void add(std::int32_t row, std::int32_t entry) { all_.emplace_back(row, entry); }

  /// Each once. By their ids, if they have some.
  element_table table(std::span<const std::int64_t> ids) {
    for(const auto& [row, entry] : all_)
      ++begins_[static_cast<std::size_t>(row) + 1];
    for(std::size_t r = 1; r < begins_.size(); ++r)
      begins_[r] += begins_[r - 1];
    std::vector<std::int32_t> entries(all_.size());
    std::vector<std::int32_t> at(begins_.begin(), begins_.end() - 1);
    for(const auto& [row, entry] : all_)
      entries[static_cast<std::size_t>(at[static_cast<std::size_t>(row)]++)] = entry;
    all_ = {};
    // Rows become shorter where an entry is there more than once.
    auto end = entries.begin();
    for(std::size_t r = 0; r + 1 < begins_.size(); ++r) {
      const auto first = entries.begin() + std::exchange(begins_[r],
                                             static_cast<std::int32_t>(end - entries.begin()));
      const auto last = entries.begin() + at[r];
      if(ids.empty())
        std::sort(first, last);
      else
        std::sort(first, last, [&](std::int32_t a, std::int32_t b) {
          return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)];
        });
      end = std::copy(first, std::unique(first, last), end);
    }
    begins_.back() = static_cast<std::int32_t>(end - entries.begin());
    entries.erase(end, entries.end());
    element_table made;
    made.set(std::move(begins_), std::move(entries));
    return made;
  }

private:
  std::vector<std::pair<std::int32_t, std::int32_t>> all_;
  std::vector<std::int32_t> begins_;
};

/// Two elements of one kind are neighbours if they have an element in common, by a rule that is the same for both.
element_table neighbours_over(const local_cells& cells, element_kind from, std::int64_t rows) {
  pairs all(rows);
  if(from == element_kind::vertices) {
    for(std::int64_t c = 0; c != cells.cells; ++c) {
      const auto its = cells.of(from, c);
      const std::size_t edges = parts_of_shape(cells.dimension, its.size(), element_kind::edges);
      for(std::size_t k = 0; k != edges; ++k) {
        const corner_list ends = part_of_shape(cells.dimension, its.size(), element_kind::edges, k);
        all.add(its[ends.at[0]], its[ends.at[1]]);
        all.add(its[ends.at[1]], its[ends.at[0]]);
      }
    }
    return all.table(cells.ids[index_of(from)]);
  }
  // Cells over their faces.
  std::int32_t faces = 0;
  for(const std::int32_t f : cells.parts[index_of(element_kind::faces)])
    faces = std::max(faces, f + 1);
  std::vector<std::int32_t> first(static_cast<std::size_t>(faces), -1); // the cell on one side
  for(std::int64_t c = 0; c != cells.cells; ++c)
    for(const std::int32_t f : cells.of(element_kind::faces, c)) {
      const auto cell = static_cast<std::int32_t>(c);
      const std::int32_t other = std::exchange(first[static_cast<std::size_t>(f)], cell);
      if(other == -1)
        continue;
      all.add(cell, other);
      all.add(other, cell);
    }
  return all.table(cells.ids[index_of(from)]);
}

element_table vertices_around_faces(const local_cells& cells, std::int64_t faces) {
  constexpr auto kind = element_kind::faces;
  const auto ids = cells.ids[index_of(element_kind::cells)];
  std::vector<std::int64_t> first(static_cast<std::size_t>(faces), -1); // of its cells
  for(std::int64_t c = 0; c != cells.cells; ++c)
    for(const std::int32_t f : cells.of(kind, c)) {
      std::int64_t& cell = first[static_cast<std::size_t>(f)];
      if(cell == -1 || ids[static_cast<std::size_t>(c)] < ids[static_cast<std::size_t>(cell)])
        cell = c;
    }
  std::vector<std::int32_t> begins{0};
  std::vector<std::int32_t> entries;
  for(std::int32_t f = 0; f != faces; ++f) {
    const std::int64_t cell = first[static_cast<std::size_t>(f)];
    const auto its = cells.of(kind, cell);
    const auto corners = cells.of(element_kind::vertices, cell);
    const auto k = static_cast<std::size_t>(std::find(its.begin(), its.end(), f) - its.begin());
    const corner_list around = part_of_shape(cells.dimension, corners.size(), kind, k);
    for(std::size_t i = 0; i != around.size; ++i)
      entries.push_back(corners[around.at[i]]);
    begins.push_back(static_cast<std::int32_t>(entries.size()));
  }
  element_table made;
  made.set(std::move(begins), std::move(entries));
  return made;
}

} // namespace

element_table make_table(
  const local_cells& cells, element_kind from, element_kind to, std::int64_t rows) {
  if(from == to)
    return neighbours_over(cells, from, rows);
  if(from == element_kind::faces && to == element_kind::vertices)
    return vertices_around_faces(cells, rows);
  pairs all(rows);
  for(std::int64_t c = 0; c != cells.cells; ++c) {
    const auto froms = cells.of(from, c);
    if(to == element_kind::cells) {
      for(const std::int32_t f : froms)
        all.add(f, static_cast<std::int32_t>(c));
      continue;
    }
    // One has all corners of the other one.
    const auto tos = cells.of(to, c);
    const std::size_t corners = cells.of(element_kind::vertices, c).size();
    for(std::size_t i = 0; i != froms.size(); ++i)
      for(std::size_t k = 0; k != tos.size(); ++k) {
        const corner_list a = part_of_shape(cells.dimension, corners, from, i);
        const corner_list b = part_of_shape(cells.dimension, corners, to, k);
        if(a.is_in(b) || b.is_in(a))
          all.add(froms[i], tos[k]);
      }
  }
  return all.table(cells.ids[index_of(to)]);
}

} // namespace rondo::detail::inline meshes
