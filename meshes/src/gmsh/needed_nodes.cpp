#include "gmsh/needed_nodes.hpp"

namespace rondo::detail::gmsh {

needed_nodes::needed_nodes(
  std::span<const std::int64_t> of_cells, std::span<const std::int64_t> of_members)
    : of_cells_(of_cells), of_members_(of_members), seen_of_cells_(of_cells_.size()),
      seen_of_members_(of_members_.size()), positions_(of_cells_.size()),
      missing_(of_cells_.size() + of_members_.size()) {}

bool needed_nodes::wants(const input& file, std::int64_t number, const char* at) {
  if(const std::size_t index = of_members_.index_of(number); index != number_set::none)
    see(seen_of_members_, index, file, number, at);
  next_ = of_cells_.index_of(number);
  if(next_ == number_set::none)
    return false;
  see(seen_of_cells_, next_, file, number, at);
  return true;
}

void needed_nodes::see(std::vector<bool>& seen, std::size_t index, const input& file,
  std::int64_t number, const char* at) {
  if(seen[index])
    file.fail(at, "there is a node with the number " + std::to_string(number) + " already");
  seen[index] = true;
  --missing_;
}

bool needed_nodes::has(std::int64_t number) const {
  const std::size_t of_cell = of_cells_.index_of(number);
  if(of_cell != number_set::none)
    return seen_of_cells_[of_cell];
  const std::size_t of_member = of_members_.index_of(number);
  return of_member != number_set::none && seen_of_members_[of_member];
}

} // namespace rondo::detail::gmsh
