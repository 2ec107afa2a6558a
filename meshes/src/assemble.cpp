#include <rondo/meshes/assemble.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/distributed/history.hpp>

#include "cell_parts.hpp"
#include "curve.hpp"
#include "deal.hpp"
#include "files/file_order.hpp"
#include "hanging_vertices.hpp"
#include "known_cells.hpp"
#include "layers.hpp"
#include "numbering.hpp"
#include "owners.hpp"
#include "positions.hpp"
#include "sets.hpp"
#include "tables.hpp"

namespace rondo::detail::inline meshes {

namespace {

constexpr element_kind all_kinds[] = {
  element_kind::cells, element_kind::faces, element_kind::edges, element_kind::vertices};

/// The same on all ranks, and not 0.
std::uint32_t mark_of(const std::vector<std::string>& sets) {
  std::uint64_t all = 1;
  for(const std::string& s : sets)
    all = mixed(all + hash_of_letters(s));
  return static_cast<std::uint32_t>(all) | 1U;
}

/// A mesh while it is made.
class assembly {
public:
  assembly(team& all, mesh_piece piece, const assembly_options& o)
      : all_(all), o_(o), sets_(std::move(piece.sets)), who_(o.colors, all.ranks()),
        known_(deal(
          all, std::move(piece), o.colors, o.cut, [this](color_id c) { return who_.rank_of(c); })) {
    const color_set mine = who_.of(all.rank());
    mine_.assign(mine.begin(), mine.end());
    made_.colors = o.colors;
    made_.dimension = known_.dimension();
    made_.parts.resize(mine_.size());
    for(std::size_t a = 0; a != mine_.size(); ++a) {
      made_.parts[a].color = mine_[a];
      made_.parts[a].colors = o.colors;
    }
  }

  mesh_of_rank make() {
    is_shown_ = fetch_layers(all_, known_, {o_.ghost_layers, o_.over});
    made_.sets = names_of_sets(all_, sets_);
    made_.mark_of_sets = mark_of(made_.sets);
    for(color_mesh& p : made_.parts)
      p.mark_of_sets = made_.mark_of_sets;
    number_cells();
    for(const element_kind k : {element_kind::faces, element_kind::edges, element_kind::vertices})
      if(is_needed(k))
        number_parts(k);
    for(std::size_t a = 0; a != mine_.size(); ++a)
      list_tables(a);
    if(!knows_all_around())
      check_positions(all_, known_);
    note_positions();
    count();
    if(o_.wish.kinds[index_of(element_kind::vertices)])
      note_file_order(all_, made_);
    return std::move(made_);
  }

private:
  /// Cells always are. Faces are needed to find the cells over them.
  [[nodiscard]] bool is_needed(element_kind k) const {
    const auto c = index_of(element_kind::cells);
    return o_.wish.kinds[index_of(k)] || k == element_kind::vertices ||
           (k == element_kind::faces && o_.wish.tables[c][c]);
  }
  /// Of the cells that touch own ones none is unknown here.
  [[nodiscard]] bool knows_all_around() const {
    return o_.over == element_kind::vertices && o_.ghost_layers != 0;
  }
  [[nodiscard]] rank_of_color rank_of() const {
    return [this](color_id c) { return who_.rank_of(c); };
  }
  [[nodiscard]] std::size_t local(color_id c) const {
    return static_cast<std::size_t>(
      std::lower_bound(mine_.begin(), mine_.end(), c) - mine_.begin());
  }

  void number_cells();
  void number_parts(element_kind kind);
  [[nodiscard]] cell_parts corners_of_cells() const;
  void check_faces(const cell_parts& faces) const;
  void note_sets(element_kind kind, const cell_parts& parts,
    const std::vector<std::vector<std::int32_t>>& numbered);
  void list_tables(std::size_t a);
  void note_positions();
  void count();

  team& all_;
  const assembly_options& o_;
  std::vector<mesh_piece::named> sets_;
  const distribution who_;
  known_cells known_;
  std::vector<color_id> mine_;
  std::vector<bool> is_shown_; ///< Own cells that other ranks see.
  mesh_of_rank made_;
  /// For each kind: its numbers on this rank, and which of these the elements of each color are.
  std::array<std::optional<cell_parts>, element_kinds> parts_;
  std::array<std::vector<std::vector<std::int32_t>>, element_kinds> numbered_;
};

/// Cells along a curve, so that those that a loop comes to one after the other lie close to each other.
void sort_along_curve(std::vector<std::int32_t>& cells, const known_cells& known) {
  std::vector<position> centers;
  position least{};
  position most{};
  for(const std::int32_t c : cells) {
    centers.push_back(known.center(static_cast<std::size_t>(c)));
    if(centers.size() == 1)
      least = most = centers[0];
    for(std::size_t a = 0; a != 3; ++a) {
      least[a] = std::min(least[a], centers.back()[a]);
      most[a] = std::max(most[a], centers.back()[a]);
    }
  }
  const curve along(least, most);
  std::vector<std::pair<std::uint64_t, std::int32_t>> order;
  for(std::size_t n = 0; n != cells.size(); ++n)
    order.emplace_back(along.place(centers[n]), cells[n]);
  std::sort(
    order.begin(), order.end()); // of one place by their ids, which known cells are sorted by
  for(std::size_t n = 0; n != cells.size(); ++n)
    cells[n] = order[n].second;
}

void assembly::number_cells() {
  const std::vector<std::vector<std::int32_t>> seen =
    seen_by_colors(known_, mine_, {o_.ghost_layers, o_.over});
  std::vector<unnumbered> colors(mine_.size());
  for(std::size_t c = 0; c != known_.own(); ++c)
    colors[local(known_.color(c))].owned.push_back(static_cast<std::int32_t>(c));
  for(std::size_t a = 0; a != mine_.size(); ++a) {
    if(colors[a].owned.empty())
      throw std::invalid_argument("rondo::unstructured: color " + std::to_string(mine_[a]) +
                                  " has got no cells from the cut; each has one at least");
    sort_along_curve(colors[a].owned, known_);
    for(const std::int32_t c : seen[a])
      colors[a].ghosts.push_back({known_.color(static_cast<std::size_t>(c)), c});
  }
  // Other ranks ask for what they see, and for nothing else.
  key_numbers ids;
  std::vector<std::int32_t> shown;
  for(std::size_t c = 0; c != known_.own(); ++c)
    if(is_shown_[c] && ids.add({0, static_cast<std::uint64_t>(known_.id(c))}))
      shown.push_back(static_cast<std::int32_t>(c));
  const numbered_kind cells{.known = known_.size(),
    .key =
      [&](std::int32_t c) {
        return entity_key{0, static_cast<std::uint64_t>(known_.id(static_cast<std::size_t>(c)))};
      },
    .find = [&](const entity_key& k) { return shown.at(static_cast<std::size_t>(ids.find(k))); }};
  constexpr std::size_t k = index_of(element_kind::cells);
  numbered_[k] = number_elements(all_, cells, mine_, std::move(colors), rank_of(),
    [&](std::size_t a) -> color_elements& { return made_.parts[a].elements[k]; });
  for(std::size_t a = 0; a != mine_.size(); ++a)
    for(const std::int32_t c : numbered_[k][a])
      made_.parts[a].elements[k].ids.push_back(known_.id(static_cast<std::size_t>(c)));
  note_sets(element_kind::cells, corners_of_cells(), numbered_[k]);
}

/// Cells by their corners, as sets name them. Also where there are no sets: that two parts have the same cell is a usual mistake.
cell_parts assembly::corners_of_cells() const {
  cell_parts parts(known_, element_kind::cells);
  key_numbers corners(parts.size());
  for(std::size_t c = 0; c != parts.size(); ++c)
    if(const std::int32_t first = corners.number(parts.key(static_cast<std::int32_t>(c)));
       first != static_cast<std::int32_t>(c)) {
      const auto [a, b] = std::minmax({known_.id(static_cast<std::size_t>(first)), known_.id(c)});
      throw std::invalid_argument(
        "rondo::unstructured: the cells " + std::to_string(a) + " and " + std::to_string(b) +
        " have the same corners; each cell is added once, by one part: a part gives its share "
        "of the cells, and not all");
    }
  return parts;
}

/// A face with more than two cells is none.
void assembly::check_faces(const cell_parts& faces) const {
  const cells_with cells(faces, known_.size());
  for(std::size_t f = 0; f != faces.size(); ++f)
    if(const auto its = cells.part(static_cast<std::int32_t>(f)); its.size() > 2) {
      std::set<std::int64_t> sorted; // the same text on all ranks
      for(const std::int32_t c : its)
        sorted.insert(known_.id(static_cast<std::size_t>(c)));
      std::string ids;
      for(const std::int64_t c : sorted)
        ids += (ids.empty() ? "" : ", ") + std::to_string(c);
      throw std::invalid_argument("rondo::unstructured: the cells " + ids +
                                  " have one face in common; a face is between two cells at most");
    }
}

void assembly::number_parts(element_kind kind) {
  const std::size_t k = index_of(kind);
  cell_parts& parts = parts_[k].emplace(known_, kind);
  if(kind == element_kind::faces) {
    check_faces(parts);
    if(known_.dimension() == 2)
      refuse_hanging_vertices(all_, known_, parts);
  }
  const std::vector<color_id> owners =
    owners_of(all_, known_, parts, is_shown_, knows_all_around());
  const auto& cells = numbered_[index_of(element_kind::cells)];
  std::vector<unnumbered> colors(mine_.size());
  std::vector<std::size_t> has_come(parts.size(), mine_.size()); // to the color that was last
  for(std::size_t a = 0; a != mine_.size(); ++a)
    for(const std::int32_t c : cells[a])
      for(const std::int32_t p : parts.of(static_cast<std::size_t>(c))) {
        const auto part = static_cast<std::size_t>(p);
        if(std::exchange(has_come[part], a) == a)
          continue;
        if(owners[part] == mine_[a])
          colors[a].owned.push_back(p);
        else
          colors[a].ghosts.push_back({owners[part], p});
      }
  const numbered_kind these{.known = parts.size(),
    .key = [&](std::int32_t p) { return parts.key(p); },
    .find = [&](const entity_key& key) { return parts.find(key); }};
  numbered_[k] = number_elements(all_, these, mine_, std::move(colors), rank_of(),
    [&](std::size_t a) -> color_elements& { return made_.parts[a].elements[k]; });
  if(kind == element_kind::vertices && o_.wish.kinds[k])
    for(std::size_t a = 0; a != mine_.size(); ++a)
      for(const std::int32_t p : numbered_[k][a])
        made_.parts[a].elements[k].ids.push_back(static_cast<std::int64_t>(parts.key(p).low));
  note_sets(kind, parts, numbered_[k]);
}

void assembly::note_sets(element_kind kind, const cell_parts& parts,
  const std::vector<std::vector<std::int32_t>>& numbered) {
  if(made_.sets.empty())
    return;
  const auto members = members_of_sets(all_, made_.sets, sets_, known_.dimension(), parts);
  for(std::size_t s = 0; s != members.size(); ++s) {
    std::vector<bool> is_member(parts.size());
    for(const std::int32_t p : members[s])
      is_member[static_cast<std::size_t>(p)] = true;
    for(std::size_t a = 0; a != mine_.size(); ++a) {
      std::vector<std::int32_t>& its = made_.parts[a].elements[index_of(kind)].sets.emplace_back();
      for(std::size_t n = 0; n != numbered[a].size(); ++n)
        if(is_member[static_cast<std::size_t>(numbered[a][n])])
          its.push_back(static_cast<std::int32_t>(n));
    }
  }
}

/// The tables of a color.
void assembly::list_tables(std::size_t a) {
  color_mesh& its = made_.parts[a];
  const std::vector<std::int32_t>& cells = numbered_[index_of(element_kind::cells)][a];
  local_cells here{.dimension = known_.dimension(),
    .cells = static_cast<std::int64_t>(cells.size()),
    .parts = {},
    .begins = {},
    .ids = {}};
  for(const element_kind kind : all_kinds) {
    const std::size_t k = index_of(kind);
    if(!parts_[k])
      continue;
    std::vector<std::int32_t> number(parts_[k]->size());
    for(std::size_t n = 0; n != numbered_[k][a].size(); ++n)
      number[static_cast<std::size_t>(numbered_[k][a][n])] = static_cast<std::int32_t>(n);
    here.begins[k] = {0};
    for(const std::int32_t c : cells) {
      for(const std::int32_t p : parts_[k]->of(static_cast<std::size_t>(c)))
        here.parts[k].push_back(number[static_cast<std::size_t>(p)]);
      if(here.parts[k].size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("rondo::unstructured: color " + std::to_string(its.color) +
                                    " has too many cells; make more colors");
      here.begins[k].push_back(static_cast<std::int32_t>(here.parts[k].size()));
    }
  }
  for(const element_kind k : {element_kind::cells, element_kind::vertices})
    here.ids[index_of(k)] = its.of(k).ids;
  // Pairs of cells and the like, before their parts are moved away.
  for(const element_kind from : all_kinds)
    for(const element_kind to : all_kinds)
      if(o_.wish.tables[index_of(from)][index_of(to)] &&
         (from != element_kind::cells || to == element_kind::cells))
        its.tables[index_of(from)][index_of(to)] =
          make_table(here, from, to, its.elements[index_of(from)].all);
  for(const element_kind to : all_kinds)
    if(o_.wish.kinds[index_of(to)] && parts_[index_of(to)])
      its.tables[index_of(element_kind::cells)][index_of(to)].set_or_length(
        std::move(here.begins[index_of(to)]), std::move(here.parts[index_of(to)]));
}

/// All three coordinates, also where the third one is 0: a branch for it would be in the innermost loops of programs.
void assembly::note_positions() {
  constexpr std::size_t k = index_of(element_kind::vertices);
  if(!o_.wish.kinds[k])
    return;
  for(std::size_t a = 0; a != mine_.size(); ++a) {
    made_.parts[a].positions.reserve(numbered_[k][a].size());
    for(const std::int32_t p : numbered_[k][a])
      made_.parts[a].positions.push_back(known_.at(known_.vertex(parts_[k]->key(p))));
  }
}

void assembly::count() {
  std::array<std::int64_t, 2 * element_kinds> counts{};
  made_.members.resize(made_.sets.size());
  for(const color_mesh& p : made_.parts)
    for(std::size_t k = 0; k != element_kinds; ++k) {
      const color_elements& its = p.elements[k];
      counts[k] += its.owned;
      counts[element_kinds + k] += its.all - its.owned;
      for(std::size_t s = 0; s != its.sets.size(); ++s)
        made_.members[s] += static_cast<std::int64_t>(its.sets[s].size());
    }
  all_.add_up(counts);
  all_.add_up(made_.members);
  for(std::size_t k = 0; k != element_kinds; ++k) {
    made_.in_all[k] = counts[k];
    made_.has_ghosts[k] = counts[element_kinds + k] != 0;
  }
}

} // namespace

const color_mesh* mesh_of_rank::part(color_id color) const {
  const auto at = std::ranges::lower_bound(parts, color, {}, &color_mesh::color);
  return at != parts.end() && at->color == color ? &*at : nullptr;
}

mesh_of_rank assemble(team& all, mesh_piece piece, const assembly_options& o) {
  return assembly(all, std::move(piece), o).make();
}

} // namespace rondo::detail::inline meshes
