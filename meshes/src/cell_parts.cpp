#include "cell_parts.hpp"

namespace rondo::detail::inline meshes {

void cell_parts::add_new(const known_cells& cells) {
  if(numbers_.size() == 0)
    numbers_ = key_numbers(kind_ == element_kind::vertices ? cells.vertices() : 2 * cells.size());
  for(std::size_t c = this->cells(); c != cells.size(); ++c) {
    const std::size_t count = cells.parts(c, kind_);
    for(std::size_t k = 0; k != count; ++k)
      entries_.push_back(numbers_.number(cells.part_key(c, kind_, k)));
    begins_.push_back(entries_.size());
  }
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
