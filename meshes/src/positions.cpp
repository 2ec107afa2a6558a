#include "positions.hpp"

#include <vector>

#include "keepers.hpp"

namespace rondo::detail::inline meshes {

void check_positions(team& all, const known_cells& known) {
  if(all.ranks() == 1)
    return;
  std::vector<std::vector<std::int64_t>> ids(all.ranks());
  std::vector<std::vector<position>> at(all.ranks());
  for(std::size_t n = 0; n != known.vertices(); ++n) {
    const auto v = static_cast<std::int32_t>(n);
    const auto id = static_cast<std::uint64_t>(known.vertex_id(v));
    const unsigned keeper = rank_that_keeps({0, id}, all.ranks());
    ids[keeper].push_back(known.vertex_id(v));
    at[keeper].push_back(known.at(v));
  }
  const auto ids_here = all.swap_mail(std::move(ids));
  const auto at_here = all.swap_mail(std::move(at));
  known_cells together(known.dimension());
  for(std::size_t from = 0; from != ids_here.size(); ++from)
    together.read({}, ids_here[from], at_here[from]);
}

} // namespace rondo::detail::inline meshes
