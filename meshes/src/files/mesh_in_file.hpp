#pragma once

/// \file
/// What files have of an unstructured mesh.

#include <memory>
#include <utility>

#include <rondo/distributed/file_mesh.hpp>
#include <rondo/meshes/color_mesh.hpp>

namespace rondo::detail::inline meshes {

class mesh_in_file final : public file_mesh {
public:
  explicit mesh_in_file(std::shared_ptr<const mesh_of_rank> m) : mesh_(std::move(m)) {}

  [[nodiscard]] mesh_counts in_all() const override { return mesh_->in_file; }
  [[nodiscard]] mesh_counts of(color_id color) const override {
    return mesh_->part(color)->owned_in_file;
  }
  [[nodiscard]] mesh_counts before(color_id color) const override {
    return mesh_->part(color)->before_in_file;
  }
  [[nodiscard]] unsigned vertices_of_face() const override {
    return mesh_->dimension == 3 ? 4 : mesh_->dimension;
  }
  void put(mesh_array what, color_id color, std::byte* into) const override;

private:
  std::shared_ptr<const mesh_of_rank> mesh_;
};

/// What VTK calls a cell with so many corners.
[[nodiscard]] std::uint8_t type_in_vtk(unsigned dimension, std::size_t corners);

} // namespace rondo::detail::inline meshes
