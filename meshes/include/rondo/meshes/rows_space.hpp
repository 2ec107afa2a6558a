#pragma once

/// \file
/// The rows of a sparse matrix, as an index space: what a color knows of them.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <rondo/meshes/color_mesh.hpp>
#include <rondo/meshes/mesh_space.hpp>

namespace rondo {

class sparse_view;

namespace detail::inline meshes {

/// The tables of a color that a matrix has, and no mesh.
struct rows_of_color {
  std::vector<double> values; ///< Of own rows: one for each of their columns.
};

/// What a rank has of a matrix: a mesh whose cells are rows. Its table from cells to cells has the columns of own rows.
struct rows_of_rank {
  mesh_of_rank mesh;
  std::vector<rows_of_color> more; ///< For each part of the mesh.
  std::int64_t entries = 0;        ///< On all ranks.
  bool has_values = false;
};

class rows_space final : public mesh_space {
public:
  using view = sparse_view;
  struct part {
    const color_mesh* of;
    const rows_of_color* more;
  };

  explicit rows_space(std::shared_ptr<rows_of_rank> rows)
      : mesh_space({rows, &rows->mesh}, element_kind::cells), rows_(std::move(rows)) {}

  [[nodiscard]] part part_of(color_id color) const {
    const color_mesh* const its = mesh().part(color);
    return {its, &rows_->more[static_cast<std::size_t>(its - mesh().parts.data())]};
  }
  [[nodiscard]] rows_of_rank& rows() const { return *rows_; }
  [[nodiscard]] const char* element_name() const override { return "row"; }
  void move(const color_carrier& carrier) override;

private:
  std::shared_ptr<rows_of_rank> rows_; ///< Values may be given up while there are tasks.
};

} // namespace detail::inline meshes

} // namespace rondo
