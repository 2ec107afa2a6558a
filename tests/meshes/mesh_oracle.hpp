#pragma once

/// \file
/// What colors of a mesh should have and see, found the simple way: with the whole mesh in one place, and each element known by its vertices.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/meshes/kinds.hpp>

#include "random_meshes.hpp"

namespace random_meshes {

using rondo::color_id;
using rondo::element_kind;
using elements = std::set<ids>; ///< A cell by its number alone, others by their vertices, sorted.

inline ids sorted(ids v) {
  std::ranges::sort(v);
  return v;
}
inline bool has_all(const ids& big, const ids& small) { return std::ranges::includes(big, small); }

/// The faces of a cell, by what its shape is called.
inline elements faces_of(unsigned dimension, const ids& c) {
  elements all;
  const std::size_t n = c.size();
  const auto add = [&](std::initializer_list<std::size_t> corners) {
    ids face;
    for(const std::size_t k : corners)
      face.push_back(c[k]);
    all.insert(sorted(face));
  };
  if(dimension == 1)
    all = {{c[0]}, {c[1]}};
  else if(dimension == 2)
    for(std::size_t k = 0; k != n; ++k)
      add({k, (k + 1) % n});
  else if(n == 4)
    for(std::size_t k = 0; k != 4; ++k)
      add({k, (k + 1) % 4, (k + 2) % 4});
  else if(n == 5) {
    add({0, 1, 2, 3});
    for(std::size_t k = 0; k != 4; ++k)
      add({k, (k + 1) % 4, 4});
  }
  else {
    const std::size_t half = n / 2;
    all.insert(sorted(ids(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(half))));
    all.insert(sorted(ids(c.begin() + static_cast<std::ptrdiff_t>(half), c.end())));
    for(std::size_t k = 0; k != half; ++k)
      add({k, (k + 1) % half, k + half, (k + 1) % half + half});
  }
  return all;
}

/// Of a solid: where two faces meet.
inline elements edges_of(unsigned dimension, const ids& c) {
  if(dimension == 1)
    return {sorted(c)};
  const elements faces = faces_of(dimension, c);
  if(dimension == 2)
    return faces;
  elements all;
  for(const ids& f : faces)
    for(const ids& g : faces) {
      ids both;
      std::ranges::set_intersection(f, g, std::back_inserter(both));
      if(both.size() == 2)
        all.insert(both);
    }
  return all;
}

class oracle {
public:
  oracle(whole_mesh mesh, std::vector<color_id> color_of_cells, unsigned layers, bool over_faces)
      : mesh_(std::move(mesh)), color_(std::move(color_of_cells)), layers_(layers),
        over_(over_faces ? element_kind::faces : element_kind::vertices) {
    for(std::size_t c = 0; c != mesh_.cells.size(); ++c) {
      const ids& its = mesh_.cells[c];
      const ids number{static_cast<std::int64_t>(c)};
      parts_[0].push_back({number});
      parts_[1].push_back(faces_of(mesh_.dimension, its));
      parts_[2].push_back(edges_of(mesh_.dimension, its));
      elements& vertices = parts_[3].emplace_back();
      for(const std::int64_t v : its)
        vertices.insert({v});
      for(std::size_t k = 0; k != 4; ++k)
        for(const ids& p : parts_[k][c])
          cells_with_[k][p].insert(number[0]);
    }
    for(const color_id c : color_)
      colors_ = std::max(colors_, c + 1);
    for(color_id c = 0; c != colors_; ++c) {
      cells_.push_back(cells_seen_by(c));
      for(std::size_t k = 0; k != 4; ++k)
        for(const std::int64_t cell : cells_.back())
          for(const ids& p : parts_[k][static_cast<std::size_t>(cell)])
            seen_by_[k][p].insert(c);
    }
  }

  [[nodiscard]] const whole_mesh& mesh() const { return mesh_; }
  [[nodiscard]] color_id colors() const { return colors_; }
  [[nodiscard]] std::size_t count(element_kind k) const { return cells_with_[at(k)].size(); }
  [[nodiscard]] color_id owner(element_kind k, const ids& e) const {
    color_id least = colors_;
    for(const std::int64_t c : cells_with_[at(k)].at(e))
      least = std::min(least, color_[static_cast<std::size_t>(c)]);
    return least;
  }
  /// Own ones as well.
  [[nodiscard]] elements visible(element_kind k, color_id color) const {
    elements all;
    for(const std::int64_t c : cells_[color])
      all.insert(parts_of(k, c).begin(), parts_of(k, c).end());
    return all;
  }
  [[nodiscard]] bool is_seen_by_others(element_kind k, const ids& e) const {
    return seen_by_[at(k)].at(e).size() > 1;
  }
  /// What a row of a table has, in a color.
  [[nodiscard]] elements row(
    element_kind from, element_kind to, const ids& e, color_id color) const {
    elements all;
    const auto add_near = [&](element_kind over) { // those that have such a one with it
      for(const std::int64_t c : cells_[color])
        for(const ids& o : parts_of(over, c))
          if(from == element_kind::vertices ? has_all(o, e) : parts_of(over, e[0]).contains(o))
            if(const auto more = from == element_kind::vertices ? ends(o) : parts_of(to, c); true)
              all.insert(more.begin(), more.end());
      all.erase(e);
    };
    if(from == to)
      add_near(from == element_kind::cells ? element_kind::faces : element_kind::edges);
    else
      for(const std::int64_t c : cells_[color])
        if(parts_of(from, c).contains(e))
          for(const ids& o : parts_of(to, c))
            if(from == element_kind::cells || to == element_kind::cells || has_all(o, e) ||
               has_all(e, o))
              all.insert(o);
    return all;
  }
  /// What belongs to a set: what has the corners of a member, and what that consists of.
  [[nodiscard]] bool is_member(const std::string& set, element_kind k, const ids& e) const {
    const ids its =
      k == element_kind::cells ? sorted(mesh_.cells[static_cast<std::size_t>(e[0])]) : e;
    return std::ranges::any_of(mesh_.sets.at(set), [&](const ids& m) {
      return k == element_kind::cells ? sorted(m) == its : has_all(sorted(m), its);
    });
  }

private:
  static std::size_t at(element_kind k) { return static_cast<std::size_t>(k); }
  static elements ends(const ids& edge) { return {{edge[0]}, {edge[1]}}; }
  [[nodiscard]] const elements& parts_of(element_kind k, std::int64_t cell) const {
    return parts_[at(k)][static_cast<std::size_t>(cell)];
  }
  [[nodiscard]] std::set<std::int64_t> cells_seen_by(color_id color) const {
    std::set<std::int64_t> all;
    for(std::size_t c = 0; c != color_.size(); ++c)
      if(color_[c] == color)
        all.insert(static_cast<std::int64_t>(c));
    for(unsigned layer = 0; layer != layers_; ++layer) {
      const std::set<std::int64_t> before = all;
      for(const std::int64_t c : before)
        for(const ids& p : parts_of(over_, c))
          all.insert(cells_with_[at(over_)].at(p).begin(), cells_with_[at(over_)].at(p).end());
    }
    return all;
  }

  whole_mesh mesh_;
  std::vector<color_id> color_;
  unsigned layers_;
  element_kind over_;
  color_id colors_ = 0;
  std::array<std::vector<elements>, 4> parts_; ///< Of each kind, of each cell.
  std::array<std::map<ids, std::set<std::int64_t>>, 4> cells_with_;
  std::array<std::map<ids, std::set<color_id>>, 4> seen_by_;
  std::vector<std::set<std::int64_t>> cells_; ///< Of each color, with those that it sees.
};

} // namespace random_meshes
