#include "assemble_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <rondo/distributed/distribution.hpp>

#include "../numbering.hpp"
#include "known_rows.hpp"
#include "mistakes_of_ranks.hpp"
#include "uncut_rows.hpp"

namespace rondo::detail::inline meshes {

namespace {

constexpr std::size_t cells = index_of(element_kind::cells);

/// Rows lie nowhere. Cuts that go by centers take them for a line, in the order of their numbers.
std::vector<position> along_a_line(const uncut_rows& rows) {
  std::vector<position> made;
  made.reserve(rows.piece.rows());
  for(std::size_t r = 0; r != rows.piece.rows(); ++r)
    made.push_back({static_cast<double>(rows.first + static_cast<std::int64_t>(r)), 0, 0});
  return made;
}

/// What is wrong with a cut; empty: nothing.
std::string mistake_in_cut(
  const std::vector<color_id>& cut, const uncut_rows& rows, color_id colors) {
  if(cut.size() != rows.piece.rows())
    return "the cut has given colors to " + std::to_string(cut.size()) + " of " +
           std::to_string(rows.piece.rows()) + " rows; each has one";
  for(std::size_t r = 0; r != cut.size(); ++r)
    if(cut[r] >= colors)
      return "row " + std::to_string(rows.first + static_cast<std::int64_t>(r)) +
             " has been given color " + std::to_string(cut[r]) + ", and there are " +
             std::to_string(colors);
  return {};
}

std::vector<color_id> cut_rows(team& all, const uncut_rows& rows, const ranks_of_cells& ranks,
  const rows_options& o, color_id colors) {
  if(!o.cut)
    throw std::invalid_argument("rondo::sparse: there is no cut, so nobody knows the colors of the "
                                "rows; leave it out, or give a function");
  const std::vector<position> centers = along_a_line(rows);
  std::vector<color_id> cut = o.cut(all,
    {.first = rows.first,
      .in_all = rows.in_all,
      .centers = centers,
      .graph = [&] { return graph_of_rows(all, rows, ranks); }},
    colors);
  if(const std::string what = first_mistake(all, mistake_in_cut(cut, rows, colors)); !what.empty())
    throw std::invalid_argument("rondo::sparse: " + what);
  return cut;
}

/// What each color of this rank owns and sees, by the numbers of known rows.
std::vector<unnumbered> sights_of(const known_rows& known, const std::vector<color_id>& mine) {
  std::vector<unnumbered> made(mine.size());
  std::vector<std::size_t> has_come(known.size(), mine.size()); // to the color that was last
  std::size_t a = 0;
  for(std::size_t r = 0; r != known.own(); ++r) {
    while(mine[a] != known.colors[r])
      ++a;
    made[a].owned.push_back(static_cast<std::int32_t>(r));
    for(const std::int32_t c : known.columns_of(r)) {
      const auto column = static_cast<std::size_t>(c);
      if(known.colors[column] != mine[a] && std::exchange(has_come[column], a) != a)
        made[a].ghosts.push_back({known.colors[column], c});
    }
  }
  return made;
}

/// The columns of a color's rows by the color's numbers. `numbered`: which known rows its elements are. `local` is for work.
void list_columns(const known_rows& known, const std::vector<std::int32_t>& numbered,
  std::vector<std::int32_t>& local, color_mesh& its) {
  const auto owned = static_cast<std::size_t>(its.elements[cells].owned);
  for(std::size_t n = 0; n != numbered.size(); ++n)
    local[static_cast<std::size_t>(numbered[n])] = static_cast<std::int32_t>(n);
  std::size_t count = 0;
  for(std::size_t n = 0; n != owned; ++n)
    count += known.columns_of(static_cast<std::size_t>(numbered[n])).size();
  if(count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::invalid_argument("rondo::sparse: a color has " + std::to_string(count) +
                                " entries, and may have 2,147,483,647; make more colors");
  std::vector<std::int32_t> begins{0};
  std::vector<std::int32_t> entries;
  begins.reserve(owned + 1);
  entries.reserve(count);
  for(std::size_t n = 0; n != owned; ++n) {
    for(const std::int32_t c : known.columns_of(static_cast<std::size_t>(numbered[n])))
      entries.push_back(local[static_cast<std::size_t>(c)]);
    begins.push_back(static_cast<std::int32_t>(entries.size()));
  }
  its.tables[cells][cells].set(std::move(begins), std::move(entries));
}

void note_values(const known_rows& known, const std::vector<std::int32_t>& numbered,
  const color_elements& its, rows_of_color& more) {
  const auto owned = static_cast<std::size_t>(its.owned);
  if(!known.values.empty() && owned != 0) { // own rows follow each other, as they do here
    const auto first = static_cast<std::size_t>(numbered.front());
    more.values.assign(known.values.begin() + static_cast<std::ptrdiff_t>(known.begins[first]),
      known.values.begin() + static_cast<std::ptrdiff_t>(known.begins[first + owned]));
  }
}

} // namespace

rows_of_rank assemble_rows(team& all, sparse_piece piece, const rows_options& o) {
  uncut_rows rows = checked_rows(all, std::move(piece));
  const color_id colors =
    o.colors != 0 ? o.colors
                  : std::min(o.for_each_rank * all.ranks(), static_cast<color_id>(rows.in_all));
  if(!o.may_be_empty && std::cmp_greater(colors, rows.in_all))
    throw std::invalid_argument("rondo::sparse: " + std::to_string(colors) + " colors of " +
                                std::to_string(rows.in_all) + " rows; each color needs a row");
  rows_of_rank made;
  made.entries = rows.entries_in_all;
  made.has_values = rows.has_values;
  mesh_of_rank& mesh = made.mesh;
  mesh.colors = colors;
  mesh.in_all[cells] = rows.in_all;

  const std::vector<position> none(rows.piece.rows());
  const ranks_of_cells ranks(all, {.first = rows.first, .in_all = rows.in_all, .centers = none});
  const distribution who(colors, all.ranks());
  const rank_of_color rank_of = [&](color_id c) { return who.rank_of(c); };
  const std::vector<color_id> cut = cut_rows(all, rows, ranks, o, colors);
  const known_rows known = deal_rows(all, std::move(rows), ranks, cut, rank_of);

  const color_set set_of_mine = who.of(all.rank());
  const std::vector<color_id> mine(set_of_mine.begin(), set_of_mine.end());
  mesh.parts.resize(mine.size());
  made.more.resize(mine.size());
  std::vector<unnumbered> sights = sights_of(known, mine);
  std::string empty;
  for(std::size_t a = 0; a != mine.size(); ++a) {
    mesh.parts[a].color = mine[a];
    mesh.parts[a].colors = colors;
    if(sights[a].owned.empty() && !o.may_be_empty && empty.empty())
      empty =
        "color " + std::to_string(mine[a]) + " has got no rows from the cut; each has one at least";
  }
  if(const std::string what = first_mistake(all, empty); !what.empty())
    throw std::invalid_argument("rondo::sparse: " + what);

  const numbered_kind kind{.known = known.size(),
    .key = [&](std::int32_t r) { return known.ids.keys()[static_cast<std::size_t>(r)]; },
    .find = [&](const entity_key& k) { return known.ids.find(k); },
    .keeps_order = true};
  const std::vector<std::vector<std::int32_t>> numbered =
    number_elements(all, kind, mine, std::move(sights), rank_of,
      [&](std::size_t a) -> color_elements& { return mesh.parts[a].elements[cells]; });
  std::vector<std::int32_t> local(known.size());
  std::int64_t ghosts[] = {0};
  for(std::size_t a = 0; a != mine.size(); ++a) {
    color_elements& its = mesh.parts[a].elements[cells];
    for(const std::int32_t r : numbered[a])
      its.ids.push_back(known.id(r));
    list_columns(known, numbered[a], local, mesh.parts[a]);
    note_values(known, numbered[a], its, made.more[a]);
    ghosts[0] += its.all - its.owned;
  }
  all.add_up(ghosts);
  mesh.has_ghosts[cells] = ghosts[0] != 0;
  return made;
}

} // namespace rondo::detail::inline meshes
