#pragma once

/// \file
/// One kind of elements of an unstructured mesh, as an index space.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <rondo/meshes/color_mesh.hpp>
#include <rondo/topologies.hpp>

namespace rondo::detail::inline meshes {

/// Answers for the colors of this rank; for others what is seen of them here, so that a checked build can compare.
class mesh_space : public topo::index_space {
public:
  mesh_space(std::shared_ptr<mesh_of_rank> whole, element_kind kind)
      : mesh_(std::move(whole)), kind_(kind), moves_(mesh_->moves) {}

  /// What a task has to know of a color.
  struct part {
    const color_mesh* of;
  };

  [[nodiscard]] std::uint64_t colors() const { return mesh_->colors; }
  [[nodiscard]] part part_of(color_id color) const { return {mesh_->part(color)}; }
  [[nodiscard]] const mesh_of_rank& mesh() const { return *mesh_; }
  [[nodiscard]] std::shared_ptr<const mesh_of_rank> share_mesh() const { return mesh_; }

  [[nodiscard]] topo::block_layout layout(color_id color) const override;
  [[nodiscard]] topo::selection owned(color_id color) const override;
  [[nodiscard]] std::vector<topo::neighbour> neighbours(color_id color) const override;
  [[nodiscard]] bool has_ghosts() const override { return mesh_->has_ghosts[index_of(kind_)]; }
  [[nodiscard]] const char* element_name() const override { return name_of(kind_); }
  [[nodiscard]] bool can_move() const override { return true; }
  void move(const color_carrier& carrier) override;

protected:
  mesh_space(const mesh_space&) = default;
  mesh_space(mesh_space&&) = default;
  ~mesh_space() = default;

private:
  std::shared_ptr<mesh_of_rank> mesh_; ///< Views look at it as long as there is a space.
  element_kind kind_;
  unsigned moves_; ///< Of these it has seen so many: spaces of several kinds have the same mesh.
};

} // namespace rondo::detail::inline meshes
