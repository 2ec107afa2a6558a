#include <rondo/sparse.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <rondo/distributed/color_carrier.hpp>
#include <rondo/distributed/distribution.hpp>

#include "../mistake_of.hpp"
#include "assemble_rows.hpp"

namespace rondo::detail::inline meshes {

namespace {

/// Before ranks take what others send for something else.
void check_same_colors(team& all, color_id own) {
  double ends[] = {static_cast<double>(own), -static_cast<double>(own)};
  all.take_least(ends);
  if(ends[0] != -ends[1])
    throw std::invalid_argument(
      "rondo::sparse: ranks have given it different options; .colors has to be the same on all");
}

/// Rows go where the colors of the other topology are: as `distribution` deals them by itself.
void check_colors_of(team& all, const topology& like) {
  const scheduler& s = like.home();
  std::int64_t others[] = {
    like.is_replicated() || distribution(like.colors(), s.ranks()).of(s.rank()) != like.mine()};
  all.add_up(others);
  if(others[0] != 0)
    throw std::invalid_argument("rondo::sparse: it can't have the colors of a global topology, nor "
                                "those of a structured mesh "
                                "that are dealt to ranks as boxes, nor any that balancing has "
                                "moved; name an unstructured mesh, another matrix, or the "
                                "scheduler, before balancing");
}

} // namespace

// Ranks wait for each other here. So what they make is noted before: if one of them makes something else, the check of what ranks launch finds it
// while the others wait.
std::shared_ptr<rows_of_rank> make_rows(scheduler& s, const rows_maker& pieces,
  const sparse_options& o, const std::source_location& where) {
  s.refuse_in_body("a matrix", where);
  s.note_made(step_kind::topology, where, s.new_number(), o.colors, o.name);
  team all(s);
  try {
    check_same_colors(all, o.colors);
    sparse_piece piece = pieces(all);
    const color_id for_each_rank = 4 * s.ranks() / all.ranks();
    return std::make_shared<rows_of_rank>(assemble_rows(
      all, std::move(piece), {.colors = o.colors, .for_each_rank = for_each_rank, .cut = o.cut}));
  }
  catch(const std::invalid_argument& e) {
    throw std::invalid_argument(mistake_of("rondo::sparse: ", o.name, where, e.what()));
  }
}

std::shared_ptr<rows_of_rank> make_rows_like(const topology& like, const rows_maker& pieces,
  const std::function<color_id(std::int64_t)>& color_of, const std::string& name,
  const std::source_location& where) {
  scheduler& s = like.home();
  s.refuse_in_body("a matrix", where);
  s.note_made(step_kind::topology, where, s.new_number(), like.number(), name);
  team all(s);
  try {
    check_colors_of(all, like);
    if(!color_of)
      throw std::invalid_argument("rondo::sparse: there is no function that says which colors rows "
                                  "have; give one: color_id(std::int64_t row)");
    const cut_function cut = [&](team&, const uncut_cells& rows, color_id) {
      std::vector<color_id> made;
      for(std::size_t r = 0; r != rows.centers.size(); ++r)
        made.push_back(color_of(rows.first + static_cast<std::int64_t>(r)));
      return made;
    };
    sparse_piece piece = pieces(all);
    return std::make_shared<rows_of_rank>(assemble_rows(
      all, std::move(piece), {.colors = like.colors(), .cut = cut, .may_be_empty = true}));
  }
  catch(const std::invalid_argument& e) {
    throw std::invalid_argument(mistake_of("rondo::sparse: ", name, where, e.what()));
  }
}

std::uint64_t fingerprint(const rows_of_rank& rows) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  return (rows.mesh.colors * factor + static_cast<std::uint64_t>(rows.mesh.in_all[0])) * factor +
         static_cast<std::uint64_t>(rows.entries);
}

void drop_values(scheduler& s, rows_of_rank& rows) {
  s.refuse_in_body("a matrix without values");
  s.wait();
  for(rows_of_color& its : rows.more)
    its.values = {};
  rows.has_values = false;
}

void rows_space::move(const color_carrier& carrier) {
  mesh_space::move(carrier);
  std::vector<rows_of_color>& all = rows_->more;
  all = carrier.carry<rows_of_color>([&](std::size_t c, parcel& p) { p.put(all[c].values); },
    [](parcel_reader& p) {
      rows_of_color its;
      its.values = p.take<double>();
      return its;
    },
    [&](std::size_t c) { return std::move(all[c]); });
}

void refuse_row(std::int64_t row, std::int64_t owned) {
  throw std::logic_error("rondo::sparse: a task looks for what belongs to row " +
                         std::to_string(row) + "; this color owns " + std::to_string(owned) +
                         " rows, from 0 on, and of ghosts it knows the numbers alone");
}

void refuse_values() {
  throw std::logic_error("rondo::sparse: a task looks for the values of a row, and the matrix has "
                         "none: no part has given values, or they were dropped");
}

} // namespace rondo::detail::inline meshes
