#include "cell_parts.hpp"

#include <array>
#include <stdexcept>

namespace rondo::detail::inline meshes {

void cell_parts::add_new() {
  if(kind_ == element_kind::vertices)
    return;
  numbers_.know_vertices(cells_->vertices());
  for(std::size_t c = begins_.size() - 1; c != cells_->size(); ++c) {
    const auto corners = cells_->corners(c);
    if(kind_ == element_kind::cells)
      entries_.push_back(static_cast<std::int32_t>(c));
    else
      for(std::size_t k = 0; k != cells_->parts(c, kind_); ++k) {
        const corner_list part = part_of_shape(cells_->dimension(), corners.size(), kind_, k);
        entries_.push_back(numbers_.number(vertices_at(corners, part)));
      }
    begins_.push_back(entries_.size());
  }
}

std::size_t cell_parts::size() const {
  switch(kind_) {
  case element_kind::vertices:
    return cells_->vertices();
  case element_kind::cells:
    return entries_.size();
  default:
    return numbers_.size();
  }
}

entity_key cell_parts::key(std::int32_t part) const {
  const auto p = static_cast<std::size_t>(part);
  if(kind_ == element_kind::vertices)
    return key_of(std::array{cells_->vertex_id(part)});
  const std::span<const std::int32_t> vertices =
    kind_ == element_kind::cells ? cells_->corners(p) : numbers_.vertices(part);
  std::array<std::int64_t, 255> ids; // no cell has more
  std::size_t count = 0;
  for(const std::int32_t v : vertices)
    if(v != -1)
      ids[count++] = cells_->vertex_id(v);
  return key_of({ids.data(), count});
}

void cell_parts::remember(const std::vector<bool>& which) {
  if(kind_ == element_kind::vertices)
    return;
  for(std::size_t p = 0; p != which.size(); ++p)
    if(which[p]) {
      const auto part = static_cast<std::int32_t>(p);
      const auto n = static_cast<std::size_t>(remembered_.number(key(part)));
      if(n == remembered_parts_.size())
        remembered_parts_.push_back(part);
    }
}

std::int32_t cell_parts::find(const entity_key& k) const {
  const std::int32_t n = kind_ == element_kind::vertices ? cells_->vertex(k) : remembered_.find(k);
  if(n == key_numbers::none)
    throw std::logic_error("rondo::unstructured: ranks disagree on who owns what");
  return kind_ == element_kind::vertices ? n : remembered_parts_[static_cast<std::size_t>(n)];
}

cells_with::cells_with(const cell_parts& parts, std::size_t cells) : begins_(parts.size() + 1) {
  for(std::size_t c = 0; c != cells; ++c)
    for(const std::int32_t p : parts.of(c))
      ++begins_[static_cast<std::size_t>(p) + 1];
  for(std::size_t p = 1; p < begins_.size(); ++p)
    begins_[p] += begins_[p - 1];
  cells_.resize(begins_.back());
  std::vector<std::size_t> at(begins_.begin(), begins_.end() - 1);
  for(std::size_t c = 0; c != cells; ++c)
    for(const std::int32_t p : parts.of(c))
      cells_[at[static_cast<std::size_t>(p)]++] = static_cast<std::int32_t>(c);
}

} // namespace rondo::detail::inline meshes
