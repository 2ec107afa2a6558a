#include <rondo/unstructured.hpp>

#include <algorithm>
#include <stdexcept>

namespace rondo::detail::inline meshes {

std::shared_ptr<const mesh_of_rank> make_mesh(scheduler& s,
  const std::function<mesh_piece(unsigned, unsigned)>& pieces, const unstructured_options& o,
  const mesh_wish& wish) {
  s.refuse_in_body("a mesh");
  team all(s);
  assembly_options a{.colors = o.colors != 0 ? o.colors : color_id{4} * s.ranks(),
    .cut = o.cut,
    .ghost_layers = o.ghosts,
    .over = o.over == seen_over::faces ? element_kind::faces : element_kind::vertices,
    .wish = wish};
  return std::make_shared<const mesh_of_rank>(assemble(all, pieces(all.rank(), all.ranks()), a));
}

std::uint32_t number_of_set(const mesh_of_rank& m, std::string_view name) {
  const auto at = std::ranges::lower_bound(m.sets, name);
  if(at != m.sets.end() && *at == name)
    return static_cast<std::uint32_t>(at - m.sets.begin());
  std::string others;
  for(const std::string& s : m.sets)
    others.append(others.empty() ? " There are '" : ", '").append(s).append("'");
  throw std::invalid_argument(std::string("rondo::unstructured: no set is called '").append(name) +
                              "'." + (others.empty() ? " The mesh has no sets." : others + '.'));
}

std::uint64_t fingerprint(const mesh_of_rank& m) {
  std::uint64_t all = m.colors;
  for(const std::int64_t n : m.in_all)
    all = all * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(n);
  return all;
}

} // namespace rondo::detail::inline meshes
