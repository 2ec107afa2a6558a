#pragma once

/// \file
/// For checked builds: which elements a color has, and what a task is told that looks for others.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/distributed/box.hpp>
#include <rondo/distributed/distribution.hpp>
#include <rondo/distributed/privilege.hpp>

namespace rondo::detail::inline distributed {

/// What messages say of a mesh.
struct mesh_outline {
  unsigned dimensions = 1;
  bool has_points = false;       ///< Or else values of colors, where a coordinate may be left out,
  bool has_elements = false;     ///< or elements, numbered in each color.
  const char* element = nullptr; ///< The name of one of them, if they are told from others.
  box<3> points{};
  point<3> halo{};
  std::array<bool, 3> periodic{};
  bool diagonals = false;
  std::int64_t beyond =
    0; ///< Points beyond each end that isn't periodic, which are somebody's, too.
};

struct still_record;
struct asked_record;

/// Bytes of a value that is large enough for one that nobody writes.
constexpr std::size_t least_marked = 4;

/// Of a field for one color.
struct block_limits {
  const char* field = "";
  color_id color = 0;
  mesh_outline mesh;
  bool has_thinner_halo = false; ///< Than the mesh: that is the one in the outline.
  box<3> owned;
  box<3> inside; ///< The same without points beyond the ends of the mesh.
  std::vector<box<3>> ghosts;
  std::size_t value_size = 0;
  std::shared_ptr<still_record> still; ///< Of `still` ghosts.
  std::shared_ptr<asked_record> asked; ///< Of smaller values.
};

/// How a task names an element, and what it may do.
struct element_access {
  privilege owned;
  privilege ghosts;
  int depth; ///< Of the ghosts that it sees.
  point<3> at;
  unsigned coordinates; ///< The number of coordinates that it was given.
};

/// Returns if the color has the element and the task may look at it. Throws std::logic_error otherwise, which says what to do.
void check_element(const block_limits& in, const element_access& a);
/// The same of any element with these coordinates but the first one.
void check_row(const block_limits& in, const element_access& a);
/// A task that promises to write all has asked for this element, or for the row in which it is.
void note_asked(const block_limits& in, const point<3>& at);
void note_asked_row(const block_limits& in, point<3> at);
/// Returns if elements of the field are called so, or have no name. Throws std::logic_error otherwise.
void check_name(const block_limits& in, const char* name, std::int64_t number);

} // namespace rondo::detail::inline distributed
