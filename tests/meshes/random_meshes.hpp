#pragma once

/// \file
/// Random unstructured meshes, and parts of them as ranks hand them in. Everything comes from a hash of the seed.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <rondo/meshes/boxes.hpp>
#include <rondo/meshes/mesh_piece.hpp>

#include "distributed/meshes.hpp"

namespace random_meshes {

using meshes::draw;
using rondo::mesh_piece;
using rondo::position;
using ids = std::vector<std::int64_t>;

constexpr std::int64_t no_vertex = 77'777; ///< Some members of sets name it.

/// All of a mesh in one place, by the numbers of its vertices.
struct whole_mesh {
  unsigned dimension = 2;
  std::map<std::int64_t, position> at;
  std::vector<ids> cells; ///< The corners of each.
  std::map<std::string, std::vector<ids>> sets;

  [[nodiscard]] position center(std::size_t cell) const {
    position mean{};
    for(const std::int64_t v : cells[cell])
      for(std::size_t a = 0; a != 3; ++a)
        mean[a] += at.at(v)[a];
    for(double& x : mean)
      x /= static_cast<double>(cells[cell].size());
    return mean;
  }
};

inline whole_mesh whole(const mesh_piece& p) {
  whole_mesh w{.dimension = p.dimension, .at = {}, .cells = {}, .sets = {}};
  for(std::size_t v = 0; v != p.vertices.size(); ++v)
    w.at[p.vertices[v]] = p.positions[v];
  for(std::size_t c = 0; c != p.cells(); ++c)
    w.cells.emplace_back(p.corners_of(c).begin(), p.corners_of(c).end());
  for(const mesh_piece::named& s : p.sets)
    for(std::size_t m = 0; m + 1 != s.begins.size(); ++m)
      w.sets[s.name].emplace_back(
        s.corners.begin() + s.begins[m], s.corners.begin() + s.begins[m + 1]);
  return w;
}

inline std::int64_t corner(std::int64_t i, std::int64_t j, std::int64_t k = 0) {
  return i + 100 * (j + 100 * k);
}

/// Squares in a row, each by itself, in two triangles, or as a hexagon together with the next one.
inline whole_mesh polygons(std::uint64_t seed) {
  whole_mesh w{.dimension = 2, .at = {}, .cells = {}, .sets = {}};
  const std::int64_t nx = draw(seed, 100, 2, 6);
  const std::int64_t ny = draw(seed, 101, 1, 6);
  for(std::int64_t j = 0; j != ny; ++j)
    for(std::int64_t i = 0; i != nx; ++i) {
      const std::int64_t a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                         d = corner(i, j + 1);
      const auto what = draw(seed, 200 + static_cast<std::uint64_t>(a), 0, 2);
      if(what == 0)
        w.cells.push_back({a, b, c, d});
      else if(what == 1 || i + 1 == nx)
        w.cells.insert(w.cells.end(), {{a, b, c}, {a, c, d}});
      else {
        w.cells.push_back({a, b, corner(i + 2, j), corner(i + 2, j + 1), c, d});
        ++i;
      }
    }
  return w;
}

/// Cubes: columns of them in prisms, others by themselves or in six pyramids.
inline whole_mesh solids(std::uint64_t seed) {
  whole_mesh w{.dimension = 3, .at = {}, .cells = {}, .sets = {}};
  const std::int64_t nx = draw(seed, 100, 1, 3);
  const std::int64_t ny = draw(seed, 101, 1, 3);
  const std::int64_t nz = draw(seed, 102, 1, 3);
  std::int64_t middles = 10'000'000;
  for(std::int64_t k = 0; k != nz; ++k)
    for(std::int64_t j = 0; j != ny; ++j)
      for(std::int64_t i = 0; i != nx; ++i) {
        ids low = {
          corner(i, j, k), corner(i + 1, j, k), corner(i + 1, j + 1, k), corner(i, j + 1, k)};
        ids high;
        for(const std::int64_t v : low)
          high.push_back(v + corner(0, 0, 1));
        if(draw(seed, 200 + static_cast<std::uint64_t>(corner(i, j)), 0, 2) == 0)
          w.cells.insert(w.cells.end(), {{low[0], low[1], low[2], high[0], high[1], high[2]},
                                          {low[0], low[2], low[3], high[0], high[2], high[3]}});
        else if(draw(seed, 90'000 + static_cast<std::uint64_t>(low[0]), 0, 2) == 0) {
          const std::int64_t m = middles++;
          w.at[m] = {static_cast<double>(i) + 0.5, static_cast<double>(j) + 0.5,
            static_cast<double>(k) + 0.5};
          w.cells.push_back({low[0], low[3], low[2], low[1], m});
          w.cells.push_back({high[0], high[1], high[2], high[3], m});
          for(std::size_t s = 0; s != 4; ++s)
            w.cells.push_back({low[s], low[(s + 1) % 4], high[(s + 1) % 4], high[s], m});
        }
        else {
          w.cells.push_back(low);
          w.cells.back().insert(w.cells.back().end(), high.begin(), high.end());
        }
      }
  return w;
}

/// A line, or a ring.
inline whole_mesh lines(std::uint64_t seed) {
  whole_mesh w{.dimension = 1, .at = {}, .cells = {}, .sets = {}};
  const std::int64_t n = draw(seed, 100, 4, 40);
  for(std::int64_t i = 0; i != n; ++i)
    w.cells.push_back({i, i + 1});
  if(draw(seed, 101, 0, 1) != 0)
    w.cells.push_back({n, 0});
  return w;
}

/// Corners of the grid that have no position yet get one.
inline void place(whole_mesh& w, std::uint64_t seed) {
  const bool is_bent = draw(seed, 110, 0, 1) != 0;
  for(const ids& c : w.cells)
    for(const std::int64_t v : c)
      w.at.try_emplace(
        v, position{static_cast<double>(v % 100), static_cast<double>(v / 100 % 100),
             is_bent || w.dimension == 3 ? static_cast<double>(v / 10'000) + (is_bent ? 0.25 : 0)
                                         : 0});
}

/// Cells are taken out, so there are holes, and cells that meet in a vertex only.
inline void take_cells_out(whole_mesh& w, std::uint64_t seed) {
  const std::int64_t of_ten = draw(seed, 120, 0, 3);
  std::vector<ids> left;
  for(std::size_t c = 0; c != w.cells.size(); ++c)
    if(c < 2 || draw(seed, 1'000'000 + c, 0, 9) >= of_ten)
      left.push_back(w.cells[c]);
  w.cells = std::move(left);
}

template<class T>
void shuffle(std::vector<T>& all, std::uint64_t seed) {
  for(std::size_t n = all.size(); n > 1; --n)
    std::swap(all[n - 1],
      all[static_cast<std::size_t>(draw(seed, n, 0, static_cast<std::int64_t>(n) - 1))]);
}

/// Vertices get other numbers: in another order, or huge ones.
inline void renumber(whole_mesh& w, std::uint64_t seed) {
  const std::int64_t how = draw(seed, 130, 0, 2);
  if(how == 0)
    return;
  std::vector<std::int64_t> numbers(w.at.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  shuffle(numbers, seed + 1);
  if(how == 2)
    for(std::int64_t& n : numbers)
      n =
        n * ((std::int64_t{1} << 40) + 1) + draw(seed, static_cast<std::uint64_t>(n), 0, 1'000'000);
  std::map<std::int64_t, std::int64_t> other;
  std::map<std::int64_t, position> at;
  for(const auto& [v, x] : w.at) {
    other[v] = numbers[other.size()];
    at[other[v]] = x;
  }
  w.at = std::move(at);
  for(ids& c : w.cells)
    for(std::int64_t& v : c)
      v = other.at(v);
  for(auto& [name, members] : w.sets)
    for(ids& m : members)
      for(std::int64_t& v : m)
        v = v == no_vertex ? no_vertex : other.at(v);
}

/// Also of members that cells elsewhere have, and of what is no element.
inline void name_some(whole_mesh& w, std::uint64_t seed) {
  for(std::size_t c = 0; c != w.cells.size(); ++c)
    switch(draw(seed, 2'000'000 + c, 0, 12)) {
    case 0:
      w.sets["cells"].push_back(w.cells[c]);
      break;
    case 1:
      w.sets["mixed"].push_back(w.cells[c]);
      break;
    case 2:
      w.sets["mixed"].push_back({w.cells[c][0]});
      break;
    case 3:
      w.sets["edges"].push_back({w.cells[c][1], w.cells[c][0]});
      break;
    case 4:
      w.sets["nothing"].push_back({w.cells[c][0], no_vertex});
      break;
    default:
      break;
    }
}

inline whole_mesh random_mesh(std::uint64_t seed) {
  const auto of_kind = [&] {
    switch(seed % 5) {
    case 0:
      return whole(rondo::box_of_triangles{draw(seed, 0, 1, 7), draw(seed, 1, 1, 7)}(0, 1));
    case 1:
      return whole(rondo::box_of_tetrahedra{
        draw(seed, 0, 1, 3), draw(seed, 1, 1, 3), draw(seed, 2, 1, 3)}(0, 1));
    case 2:
      return polygons(seed);
    case 3:
      return solids(seed);
    default:
      return lines(seed);
    }
  };
  whole_mesh w = of_kind();
  place(w, seed);
  take_cells_out(w, seed);
  name_some(w, seed);
  if(draw(seed, 140, 0, 1) != 0)
    shuffle(w.cells, seed);
  renumber(w, seed);
  return w;
}

/// As rank `part` hands it in: consecutive cells, some ranks none, with their vertices, and any members of sets.
inline mesh_piece piece_of(const whole_mesh& w, std::uint64_t seed, unsigned part, unsigned parts) {
  const auto all = static_cast<std::int64_t>(w.cells.size());
  std::vector<std::int64_t> begins{0, all};
  for(unsigned r = 1; r != parts; ++r)
    begins.push_back(draw(seed, 3'000'000 + r, 0, all));
  std::ranges::sort(begins);
  mesh_piece p{.dimension = w.dimension};
  std::set<std::int64_t> has;
  for(std::int64_t c = begins[part]; c != begins[part + 1]; ++c) {
    const ids& its = w.cells[static_cast<std::size_t>(c)];
    for(const std::int64_t v : its)
      if(has.insert(v).second)
        p.add_vertex(v, w.at.at(v));
    p.add_cell(its);
  }
  std::uint64_t n = 4'000'000;
  for(const auto& [name, members] : w.sets)
    for(const ids& m : members)
      if(draw(seed, ++n, 0, parts - 1) == part)
        p.name(name, m);
  return p;
}

} // namespace random_meshes
