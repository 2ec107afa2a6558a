#pragma once

/// \file
/// The numbers of the colors of a structured mesh.
///
/// \code
///   const auto mesh = cut_mesh::of<2>({16, 8}, {4, 2});    // points and colors along each axis
///   number_at(mesh, {2, 0, 0});                            // 4
///   place_of(mesh, 4);                                     // 2, 0, 0
/// \endcode
///
/// Colors are numbered by halving the mesh again and again across its longest side: those of the first
/// half come first. So colors with consecutive numbers are close to each other. Numbers depend on the mesh
/// only, and finding them takes log(colors) steps. All is in three dimensions: of a mesh with fewer the last axes
/// have length 1.

#include <cstddef>
#include <cstdint>

#include <rondo/distributed/box.hpp>
#include <rondo/distributed/color_set.hpp>

namespace rondo::detail::inline distributed {

/// So many points along each axis, cut into so many colors.
struct cut_mesh {
  point<3> extents{1, 1, 1};
  point<3> colors{1, 1, 1};

  template<std::size_t D>
  static cut_mesh of(const point<D>& extents, const point<D>& colors) {
    cut_mesh made;
    for(std::size_t a = 0; a != D; ++a) {
      made.extents[a] = extents[a];
      made.colors[a] = colors[a];
    }
    return made;
  }
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t n = 1;
    for(const std::int64_t along : colors)
      n *= static_cast<std::uint64_t>(along);
    return n;
  }
};

[[nodiscard]] color_id number_at(const cut_mesh& mesh, const point<3>& place);
[[nodiscard]] point<3> place_of(const cut_mesh& mesh, color_id color);

} // namespace rondo::detail::inline distributed
