#pragma once

/// \file
/// What a color knows of an unstructured mesh: its elements and those that it sees, and which belong to which.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/file_mesh.hpp>
#include <rondo/distributed/index_space.hpp>
#include <rondo/meshes/elements_by_id.hpp>
#include <rondo/meshes/kinds.hpp>
#include <rondo/meshes/mesh_piece.hpp>

namespace rondo::detail::inline distributed {
class parcel;
class parcel_reader;
} // namespace rondo::detail::inline distributed

namespace rondo::detail::inline meshes {

constexpr std::size_t element_kinds = 4;
constexpr std::size_t index_of(element_kind k) { return static_cast<std::size_t>(k); }
constexpr const char* name_of(element_kind k) {
  constexpr const char* names[element_kinds] = {
    kind::cells::name, kind::faces::name, kind::edges::name, kind::vertices::name};
  return names[index_of(k)];
}

/// Rows of elements, one for each element. The rows of cells often have the same length, and only that is kept.
class element_table {
public:
  [[nodiscard]] const std::int32_t* begin_of(std::int64_t r) const {
    return entries_.data() + (begins_at_ == nullptr ? r * length_ : begins_at_[r]);
  }
  [[nodiscard]] const std::int32_t* end_of(std::int64_t r) const { return begin_of(r + 1); }
  /// The same in tables whose `begins` are kept: one branch less in the innermost loops of programs.
  [[nodiscard]] const std::int32_t* kept_begin_of(std::int64_t r) const {
    return entries_.data() + begins_at_[r];
  }
  [[nodiscard]] std::pair<const std::int32_t*, std::size_t> row(std::int64_t r) const {
    return {begin_of(r), static_cast<std::size_t>(end_of(r) - begin_of(r))};
  }
  /// The length of all rows if it is the same, or else -1.
  [[nodiscard]] std::int64_t length() const { return begins_at_ == nullptr ? length_ : -1; }
  [[nodiscard]] const std::int32_t* entries() const { return entries_.data(); }
  [[nodiscard]] bool is_there() const { return is_there_; }

  /// `begins` has one more than there are rows.
  void set(std::vector<std::int32_t> begins, std::vector<std::int32_t> entries);
  /// The same, and only the length is kept if all rows have the same.
  void set_or_length(std::vector<std::int32_t> begins, std::vector<std::int32_t> entries);

  void put_into(parcel& p) const;
  [[nodiscard]] static element_table taken_from(parcel_reader& p);

  element_table() = default;
  ~element_table() = default;
  element_table(element_table&&) = default; // what they point at moves along
  element_table& operator=(element_table&&) = default;
  element_table(const element_table&) = delete;
  element_table& operator=(const element_table&) = delete;

private:
  std::vector<std::int32_t> entries_;
  std::vector<std::int32_t> begins_;
  const std::int32_t* begins_at_ = nullptr; ///< Null if all rows have the same length.
  std::int64_t length_ = 0;
  bool is_there_ = false;
};

/// Elements of one kind.
struct color_elements {
  std::int64_t inner = 0; ///< Owned, and seen by no other color: the first ones,
  std::int64_t owned = 0; ///< then those that others see, then ghosts.
  std::int64_t all = 0;
  std::vector<std::int64_t>
    ids; ///< The ids of all elements, in the whole mesh. Only cells and vertices have some.
  elements_by_id by_id; ///< Stays behind when the color moves to another rank.
  std::vector<neighbour> neighbours;
  std::map<color_id, std::int64_t> owned_by; ///< The number of these that each color owns.
  std::vector<std::vector<std::int32_t>>
    sets; ///< For each set of the mesh: which of all are members, in order.

  [[nodiscard]] std::optional<std::int64_t> find(std::int64_t id) const {
    return by_id.find(ids, id);
  }
};

struct color_mesh {
  color_id color = 0;
  color_id colors = 0;
  std::uint32_t mark_of_sets =
    0; ///< The number of the mesh: each mesh has another one. 0 for none.
  std::array<color_elements, element_kinds> elements;
  std::array<std::array<element_table, element_kinds>, element_kinds> tables; ///< From, to.
  std::vector<position> positions; ///< The positions of vertices.

  // For files, if the mesh has vertices: what it owns, what the colors before it own, and how many vertices those have that are
  // before a neighbour.
  mesh_counts owned_in_file;
  mesh_counts before_in_file;
  std::map<color_id, std::int64_t> vertices_before;

  [[nodiscard]] const color_elements& of(element_kind k) const { return elements[index_of(k)]; }
  [[nodiscard]] const element_table& table(element_kind from, element_kind to) const {
    return tables[index_of(from)][index_of(to)];
  }
};

/// What a rank has of a mesh.
struct mesh_of_rank {
  color_id colors = 0;
  unsigned dimension = 0;
  std::array<std::int64_t, element_kinds> in_all{}; ///< Elements of each kind, of all ranks.
  std::vector<std::string> sets;
  std::vector<std::int64_t> members; ///< The members of each set, of all kinds and ranks.
  std::uint32_t mark_of_sets = 0;
  mesh_counts in_file;           ///< The counts of all ranks, if the mesh has vertices.
  std::vector<color_mesh> parts; ///< In the order of colors.
  std::array<bool, element_kinds>
    has_ghosts{};     ///< Whether some color of some rank has ghosts of the kind.
  unsigned moves = 0; ///< So often colors have gone to other ranks.

  /// Null if it is another rank's.
  [[nodiscard]] const color_mesh* part(color_id color) const;
};

/// What is asked of a mesh.
struct mesh_wish {
  std::array<bool, element_kinds> kinds{};
  std::array<std::array<bool, element_kinds>, element_kinds> tables{};
};

} // namespace rondo::detail::inline meshes
