#pragma once

/// \file
/// The cells of a mesh that a rank knows while the mesh is made: its own, and then those that its colors see of others.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/team.hpp>
#include <rondo/meshes/mesh_piece.hpp>

#include "entity_key.hpp"
#include "shapes.hpp"

namespace rondo::detail::inline meshes {

class known_cells {
public:
  explicit known_cells(unsigned dimension) : dimension_(dimension) {}

  [[nodiscard]] unsigned dimension() const { return dimension_; }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  /// The first ones are this rank's, in the order of their colors, and of one color in the order of their ids.
  [[nodiscard]] std::size_t own() const { return own_; }
  [[nodiscard]] std::int64_t id(std::size_t cell) const { return ids_[cell]; }
  [[nodiscard]] color_id color(std::size_t cell) const { return colors_[cell]; }
  /// Numbers that vertices have on this rank.
  [[nodiscard]] std::span<const std::int32_t> corners(std::size_t cell) const {
    return std::span(corners_).subspan(begins_[cell], begins_[cell + 1] - begins_[cell]);
  }

  [[nodiscard]] std::size_t vertices() const { return vertices_.size(); }
  [[nodiscard]] std::int64_t vertex_id(std::int32_t vertex) const {
    return static_cast<std::int64_t>(vertices_.keys()[static_cast<std::size_t>(vertex)].low);
  }
  [[nodiscard]] std::int32_t vertex(const entity_key& k) const { return vertices_.find(k); }
  [[nodiscard]] const position& at(std::int32_t vertex) const {
    return positions_[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] position center(std::size_t cell) const;

  /// So many faces, edges or vertices.
  [[nodiscard]] std::size_t parts(std::size_t cell, element_kind kind) const {
    return kind == element_kind::cells ? 1 : parts_of_shape(dimension_, corners(cell).size(), kind);
  }

  /// Adds what has come.
  void read(std::span<const std::int64_t> cells, std::span<const std::int64_t> vertex_ids,
    std::span<const position> at);
  /// The cells that are known now are this rank's own.
  void sort_own();

private:
  void add_vertex(std::int64_t id, const position& at);

  unsigned dimension_;
  std::size_t own_ = 0;
  std::vector<std::int64_t> ids_;
  std::vector<color_id> colors_;
  std::vector<std::int32_t> corners_;
  std::vector<std::size_t> begins_{0};
  key_numbers vertices_;
  std::vector<position> positions_;
};

/// Cells on their way from rank to rank, with their vertices.
class cell_mail {
public:
  explicit cell_mail(unsigned ranks) : cells_(ranks), vertices_(ranks), positions_(ranks) {}

  void add_cell(
    unsigned to, std::int64_t id, color_id color, std::span<const std::int64_t> corners);
  void add_vertex(unsigned to, std::int64_t id, const position& at) {
    vertices_[to].push_back(id);
    positions_[to].push_back(at);
  }
  /// Cells that have come for this rank are known then.
  void send(team& all, known_cells& into);

private:
  std::vector<std::vector<std::int64_t>> cells_;
  std::vector<std::vector<std::int64_t>> vertices_;
  std::vector<std::vector<position>> positions_;
};

} // namespace rondo::detail::inline meshes
