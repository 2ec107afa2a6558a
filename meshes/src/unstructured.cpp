#include <rondo/unstructured.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "mistake_of.hpp"

namespace rondo::detail::inline meshes {

namespace {

/// Of options that have to be the same on all ranks.
std::uint64_t properties(const unstructured_options& o) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  return ((o.colors * factor + o.ghosts) * factor + static_cast<std::uint64_t>(o.over)) * factor;
}

/// Before ranks take what others send for something else.
void check_same_options(team& all, std::uint64_t own) {
  const auto part = static_cast<double>(own >> 12U); // exact
  double ends[] = {part, -part};
  all.take_least(ends);
  if(ends[0] != -ends[1])
    throw std::invalid_argument(
      "rondo::unstructured: ranks have given it different options; .colors, .ghosts "
      "and .over have to be the same on all");
}

} // namespace

// Ranks wait for each other here. So what they make is noted before: if one of them makes something else, the check of what ranks launch finds it
// while the others wait.
std::shared_ptr<mesh_of_rank> make_mesh(scheduler& s,
  const std::function<mesh_piece(unsigned, unsigned)>& pieces, const unstructured_options& o,
  const mesh_wish& wish, const std::source_location& where) {
  s.refuse_in_body("a mesh", where);
  s.note_made(step_kind::topology, where, s.new_number(), properties(o), o.name);
  team all(s);
  try {
    check_same_options(all, properties(o));
    mesh_piece piece = pieces(all.rank(), all.ranks());
    std::int64_t cells[] = {static_cast<std::int64_t>(piece.cells())};
    all.add_up(cells);
    const color_id by_itself = std::clamp<color_id>(
      color_id{4} * s.ranks(), 1, static_cast<color_id>(std::max<std::int64_t>(cells[0], 1)));
    const assembly_options a{.colors = o.colors != 0 ? o.colors : by_itself,
      .cut = o.cut,
      .ghost_layers = o.ghosts,
      .over = o.over == seen_over::faces ? element_kind::faces : element_kind::vertices,
      .wish = wish};
    return std::make_shared<mesh_of_rank>(assemble(all, std::move(piece), a));
  }
  catch(const std::invalid_argument& e) {
    throw std::invalid_argument(mistake_of("rondo::unstructured: ", o.name, where, e.what()));
  }
}

std::uint32_t number_of_set(const mesh_of_rank& m, std::string_view name) {
  const auto at = std::ranges::lower_bound(m.sets, name);
  if(at != m.sets.end() && *at == name) {
    if(m.members[static_cast<std::size_t>(at - m.sets.begin())] == 0)
      throw std::invalid_argument(std::string("rondo::unstructured: the set '").append(name) +
                                  "' has no members: the mesh has none of the elements that were "
                                  "named so, of the kinds that the program has asked for; "
                                  "name() takes the corners of one vertex, edge, face or cell");
    return static_cast<std::uint32_t>(at - m.sets.begin());
  }
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
