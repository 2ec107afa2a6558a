#include "deal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "begins.hpp"
#include "cut/cells_over_faces.hpp"

namespace rondo::detail::inline meshes {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("rondo::unstructured: " + what);
}

/// A piece with its vertices numbered in it.
struct numbered_piece {
  mesh_piece piece;
  key_numbers vertices{};              ///< Each once.
  std::vector<position> at{};          ///< Of these.
  std::vector<std::int32_t> corners{}; ///< Of all cells.
  std::int64_t first = 0;              ///< The number of the first cell in the mesh.

  [[nodiscard]] std::string name(std::size_t cell) const {
    return "cell " + std::to_string(first + static_cast<std::int64_t>(cell));
  }
};

void number_vertices(numbered_piece& p) {
  if(p.piece.vertices.size() != p.piece.positions.size())
    refuse("a part has " + std::to_string(p.piece.vertices.size()) + " vertices and " +
           std::to_string(p.piece.positions.size()) + " positions; each vertex has one");
  p.vertices = key_numbers(p.piece.vertices.size());
  p.at.reserve(p.piece.vertices.size());
  for(std::size_t v = 0; v != p.piece.vertices.size(); ++v) {
    const std::int64_t id = p.piece.vertices[v];
    const position& at = p.piece.positions[v];
    if(id < 0)
      refuse("vertex " + std::to_string(id) + " has a negative number; they are 0, 1, ...");
    if(!std::all_of(at.begin(), at.end(), [](double x) { return std::isfinite(x); }))
      refuse("vertex " + std::to_string(id) + " has a position that is no number");
    const auto number =
      static_cast<std::size_t>(p.vertices.number({0, static_cast<std::uint64_t>(id)}));
    if(number == p.at.size())
      p.at.push_back(at);
    else if(p.at[number] != at)
      refuse("vertex " + std::to_string(id) + " is there twice, at different positions");
  }
  p.piece.vertices = {};
  p.piece.positions = {};
}

void number_corners(numbered_piece& p) {
  const mesh_piece& piece = p.piece;
  p.corners.reserve(piece.corners.size());
  for(std::size_t c = 0; c != piece.cells(); ++c) {
    const auto its = piece.corners_of(c);
    if(!is_shape(piece.dimension, its.size()))
      refuse(p.name(c) + " has " + std::to_string(its.size()) + " corners; in " +
             std::to_string(piece.dimension) +
             " dimensions there is no such cell (mesh_piece.hpp has a list)");
    const std::size_t begin = p.corners.size();
    for(const std::int64_t id : its) {
      const std::int32_t v = p.vertices.find({0, static_cast<std::uint64_t>(id)});
      if(v == key_numbers::none)
        refuse(p.name(c) + " has the vertex " + std::to_string(id) +
               ", which this part has no position of; add_vertex");
      if(std::find(p.corners.begin() + static_cast<std::ptrdiff_t>(begin), p.corners.end(), v) !=
         p.corners.end())
        refuse(p.name(c) + " has the vertex " + std::to_string(id) + " twice");
      p.corners.push_back(v);
    }
  }
}

std::vector<position> centers_of(const numbered_piece& p) {
  std::vector<position> centers(p.piece.cells());
  for(std::size_t c = 0; c != centers.size(); ++c) {
    const auto begin = static_cast<std::size_t>(p.piece.begins[c]);
    const auto end = static_cast<std::size_t>(p.piece.begins[c + 1]);
    position& mean = centers[c];
    for(std::size_t k = begin; k != end; ++k)
      for(std::size_t a = 0; a != 3; ++a)
        mean[a] += p.at[static_cast<std::size_t>(p.corners[k])][a];
    for(double& x : mean)
      x /= static_cast<double>(end - begin);
  }
  return centers;
}

/// All ranks have cells of one dimension, or none.
void agree_on_dimension(team& all, mesh_piece& p) {
  if(p.cells() != 0 && (p.dimension < 1 || p.dimension > 3))
    refuse(
      "a part has cells of " + std::to_string(p.dimension) + " dimensions; there are 1, 2 and 3");
  double least[] = {p.cells() == 0 ? 4. : p.dimension, p.cells() == 0 ? 4. : 4. - p.dimension};
  all.take_least(least);
  if(least[0] == 4)
    refuse("the mesh has no cells; some part has to add_cell");
  if(least[0] + least[1] != 4)
    refuse("some parts have cells of " + std::to_string(static_cast<int>(least[0])) +
           " dimensions, others of " + std::to_string(static_cast<int>(4 - least[1])));
  p.dimension = static_cast<unsigned>(least[0]);
}

/// Cells and their vertices, to the ranks of their colors. The piece is not needed any more then.
cell_mail mail_of(team& all, const numbered_piece& p, const std::vector<color_id>& color,
  color_id colors, const rank_of_color& rank_of) {
  std::vector<std::size_t> order(color.size());
  std::vector<unsigned> to(color.size());
  for(std::size_t c = 0; c != color.size(); ++c) {
    if(color[c] >= colors)
      refuse(p.name(c) + " has been given color " + std::to_string(color[c]) + ", and there are " +
             std::to_string(colors));
    to[c] = rank_of(color[c]);
  }
  std::iota(order.begin(), order.end(), 0);
  if(all.ranks() > 1)
    std::stable_sort(
      order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return to[a] < to[b]; });

  cell_mail mail(all.ranks());
  constexpr unsigned nobody = std::numeric_limits<unsigned>::max();
  std::vector<unsigned> has_gone(p.at.size(), nobody); // the rank that a vertex has gone to last
  for(const std::size_t c : order) {
    mail.add_cell(to[c], p.first + static_cast<std::int64_t>(c), color[c], p.piece.corners_of(c));
    for(auto k = p.piece.begins[c]; k != p.piece.begins[c + 1]; ++k) {
      const auto v = static_cast<std::size_t>(p.corners[static_cast<std::size_t>(k)]);
      if(std::exchange(has_gone[v], to[c]) != to[c])
        mail.add_vertex(to[c], static_cast<std::int64_t>(p.vertices.keys()[v].low), p.at[v]);
    }
  }
  return mail;
}

} // namespace

known_cells deal(team& all, mesh_piece piece, color_id colors, const cut_function& cut,
  const rank_of_color& rank_of) {
  check_begins(piece.begins, piece.corners, "the cells");
  if(!cut)
    refuse(
      "there is no cut, so nobody knows the colors of the cells; leave it out, or give a function");
  agree_on_dimension(all, piece);
  numbered_piece p{.piece = std::move(piece)};
  p.first = all.before(static_cast<std::int64_t>(p.piece.cells()));
  number_vertices(p);
  number_corners(p);
  std::int64_t in_all[] = {static_cast<std::int64_t>(p.piece.cells())};
  all.add_up(in_all);
  if(colors == 0 || colors > static_cast<std::uint64_t>(in_all[0]))
    refuse(std::to_string(colors) + " colors of " + std::to_string(in_all[0]) +
           " cells; each color needs a cell");
  std::vector<position> centers = centers_of(p);
  std::vector<color_id> color = cut(all,
    {.first = p.first,
      .in_all = in_all[0],
      .centers = centers,
      .graph =
        [&] {
          return cells_over_faces(
            all, {p.piece.dimension, p.first, p.vertices, p.corners, p.piece.begins});
        }},
    colors);
  if(color.size() != p.piece.cells())
    refuse("the cut has given colors to " + std::to_string(color.size()) + " of " +
           std::to_string(p.piece.cells()) + " cells; each has one");

  const unsigned dimension = p.piece.dimension;
  cell_mail mail = mail_of(all, p, color, colors, rank_of);
  // The other cells are in the mail.
  p = {};
  centers = {};
  color = {};
  known_cells known(dimension);
  mail.send(all, known);
  known.sort_own();
  return known;
}

} // namespace rondo::detail::inline meshes
