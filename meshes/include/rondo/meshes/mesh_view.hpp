#pragma once

/// \file
/// What a task sees of an unstructured mesh: a color of it.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include <rondo/core/checks.hpp>
#include <rondo/meshes/color_mesh.hpp>
#include <rondo/meshes/kinds.hpp>
#include <rondo/meshes/mesh_space.hpp>

namespace rondo {

/// A set of elements with a name: of `find` of a mesh. Tasks take it as an argument.
struct mesh_set {
  std::uint32_t number = 0;
  std::uint32_t mark = 0; ///< Of the mesh.
};

namespace detail::inline meshes {

/// Of another mesh: throws std::logic_error.
[[noreturn]] void refuse_set();
/// The color has so many elements, and not this one: throws std::logic_error.
[[noreturn]] void refuse_element(element_kind kind, std::int64_t number, std::int64_t all);
/// Not all cells of the color consist of so many of them: throws std::logic_error.
[[noreturn]] void refuse_length(element_kind of, std::size_t length);

template<class X>
inline constexpr bool is_table = false;
template<class From, class To>
inline constexpr bool is_table<links<From, To>> = true;

template<class X, class... All>
inline constexpr bool is_one_of = (std::same_as<X, All> || ...);

/// Whether there are such tables; of kinds nothing is asked.
template<class X>
inline constexpr bool is_possible = true;
template<class Kind>
inline constexpr bool is_possible<links<Kind, Kind>> = is_one_of<Kind, kind::cells, kind::vertices>;
/// Whether the kinds that a table is between are there.
template<class X, class... All>
inline constexpr bool has_kinds_of = true;
template<class From, class To, class... All>
inline constexpr bool has_kinds_of<links<From, To>, All...> =
  is_one_of<From, All...> && is_one_of<To, All...>;

} // namespace detail::inline meshes

/// The elements that each cell of a color consists of, where they are as many for all, and how many is known when the program is compiled: then a
/// row is found without looking where it begins.
template<class Kind, std::size_t Each>
class rows_of_cells {
public:
  rows_of_cells(const detail::element_table& table, std::int64_t cells)
      : entries_(table.entries()), cells_(cells) {
    if(cells != 0 && table.length() != Each)
      detail::refuse_length(Kind::number, Each);
  }
  [[nodiscard]] element_list<Kind> operator()(element<kind::cells> c) const {
    if constexpr(detail::is_checked)
      if(c < 0 || c >= cells_)
        detail::refuse_element(element_kind::cells, c, cells_);
    const std::int32_t* const first = entries_ + c * std::int64_t{Each};
    return {first, first + Each};
  }

private:
  const std::int32_t* entries_;
  std::int64_t cells_;
};

/// `Mesh` is the `unstructured` of these kinds and tables.
template<class Mesh, class... Parts>
class mesh_view {
public:
  using of_topology = Mesh;

  explicit mesh_view(const detail::mesh_space::part& p) : color_(p.of) {}

  [[nodiscard]] color_id color() const { return color_->color; }
  [[nodiscard]] color_id colors() const { return color_->colors; }

  /// What the color owns: as `inner`, then `rim`.
  template<class Kind>
  [[nodiscard]] element_range<Kind> owned() const {
    return {0, elements<Kind>().owned};
  }
  /// Seen by no other color.
  template<class Kind>
  [[nodiscard]] element_range<Kind> inner() const {
    return {0, elements<Kind>().inner};
  }
  /// Seen by others.
  template<class Kind>
  [[nodiscard]] element_range<Kind> rim() const {
    return {elements<Kind>().inner, elements<Kind>().owned};
  }
  /// What the color sees of others.
  template<class Kind>
  [[nodiscard]] element_range<Kind> ghosts() const {
    return {elements<Kind>().owned, elements<Kind>().all};
  }
  /// `owned`, then `ghosts`.
  template<class Kind>
  [[nodiscard]] element_range<Kind> all() const {
    return {0, elements<Kind>().all};
  }

  /// Of a cell in the order in which its corners, or their edges or faces, go around it; else in the order of their numbers. Of ghosts some
  /// may be missing, which the color doesn't see.
  template<class From>
  [[nodiscard]] element_list<kind::vertices> vertices_of(element<From> e) const {
    return row<kind::vertices>(e);
  }
  template<class From>
  [[nodiscard]] element_list<kind::cells> cells_of(element<From> e) const {
    return row<kind::cells>(e);
  }
  template<class From>
  [[nodiscard]] element_list<kind::faces> faces_of(element<From> e) const {
    return row<kind::faces>(e);
  }
  template<class From>
  [[nodiscard]] element_list<kind::edges> edges_of(element<From> e) const {
    return row<kind::edges>(e);
  }

  /// The same of cells that all have so many, tetrahedra say: innermost loops are faster that way.
  ///
  ///   const auto vertices_of = m.vertices_of<4>();      // throws if a cell of the color has others
  ///   for(auto c : m.owned<kind::cells>())
  ///     for(auto v : vertices_of(c)) ...
  template<std::size_t Each>
  [[nodiscard]] rows_of_cells<kind::vertices, Each> vertices_of() const {
    return rows<kind::vertices, Each>();
  }
  template<std::size_t Each>
  [[nodiscard]] rows_of_cells<kind::faces, Each> faces_of() const {
    return rows<kind::faces, Each>();
  }
  template<std::size_t Each>
  [[nodiscard]] rows_of_cells<kind::edges, Each> edges_of() const {
    return rows<kind::edges, Each>();
  }

  /// In the whole mesh: of cells as they were added, of vertices as the program has numbered them.
  template<class Kind>
  [[nodiscard]] std::int64_t id(element<Kind> e) const {
    check_has_ids<Kind>();
    return elements<Kind>().ids[static_cast<std::size_t>(std::int64_t(e))];
  }
  /// The element with that id, own or ghost, or nothing if the color doesn't see it. Particles remember ids of cells, say, as other colors number cells
  /// differently. Takes some steps for each doubling of the elements; the first search in a color puts them in order.
  template<class Kind>
  [[nodiscard]] std::optional<element<Kind>> find(std::int64_t id) const {
    check_has_ids<Kind>();
    if(const auto at = elements<Kind>().find(id))
      return element<Kind>(*at);
    return std::nullopt;
  }

  /// Where a vertex is: not a copy, through which compilers would take its coordinates one by one.
  [[nodiscard]] const position& at(element<kind::vertices> v) const {
    return color_->positions[static_cast<std::size_t>(std::int64_t(v))];
  }
  /// The mean of its corners.
  [[nodiscard]] position center(element<kind::cells> c) const {
    static_assert(detail::is_one_of<kind::vertices, Parts...>,
      "rondo::unstructured: for centers of cells the mesh needs kind::vertices: "
      "unstructured<kind::cells, kind::vertices, ...>");
    position mean{};
    const auto corners = vertices_of(c);
    for(const element<kind::vertices> v : corners) {
      const position& p = at(v);
      for(std::size_t a = 0; a != 3; ++a)
        mean[a] += p[a];
    }
    for(double& x : mean)
      x /= static_cast<double>(corners.size());
    return mean;
  }

  /// The members of a set that the color owns, and those that it sees; both in order.
  template<class Kind>
  [[nodiscard]] element_list<Kind> owned(mesh_set s) const {
    const auto& its = members<Kind>(s);
    return {its.data(), its.data() + owned_of(its, elements<Kind>().owned)};
  }
  template<class Kind>
  [[nodiscard]] element_list<Kind> ghosts(mesh_set s) const {
    const auto& its = members<Kind>(s);
    const std::size_t first = owned_of(its, elements<Kind>().owned);
    return {its.data() + first, its.data() + its.size()};
  }

private:
  static std::size_t owned_of(const std::vector<std::int32_t>& members, std::int64_t owned) {
    return static_cast<std::size_t>(
      std::lower_bound(members.begin(), members.end(), owned) - members.begin());
  }
  template<class Kind>
  [[nodiscard]] const std::vector<std::int32_t>& members(mesh_set s) const {
    if(s.mark != color_->mark_of_sets || s.number >= elements<Kind>().sets.size()) [[unlikely]]
      detail::refuse_set();
    return elements<Kind>().sets[s.number];
  }
  template<class Kind>
  [[nodiscard]] const detail::color_elements& elements() const {
    check_kinds<Kind>();
    return color_->of(Kind::number);
  }
  template<class To, std::size_t Each>
  [[nodiscard]] rows_of_cells<To, Each> rows() const {
    check_kinds<To>();
    return {color_->table(element_kind::cells, To::number), elements<kind::cells>().all};
  }
  template<class... Kinds>
  static constexpr void check_kinds() {
    static_assert((detail::is_one_of<Kinds, Parts...> && ...),
      "rondo::unstructured: the mesh has no elements of this kind; add it: "
      "unstructured<kind::cells, kind::faces, ...>");
  }
  template<class Kind>
  static constexpr void check_has_ids() {
    static_assert(
      detail::is_one_of<Kind, kind::cells, kind::vertices>, "only cells and vertices have ids");
  }
  template<class To, class From>
  [[nodiscard]] element_list<To> row(element<From> e) const {
    check_kinds<From, To>();
    static_assert(detail::is_one_of<links<From, To>, Parts...> ||
                    (std::is_same_v<From, kind::cells> && !std::is_same_v<To, kind::cells>),
      "rondo::unstructured: the mesh has no such table, From and To as above; add it: "
      "unstructured<kind::cells, ..., links<From, To>>");
    if constexpr(detail::is_checked)
      if(e < 0 || e >= elements<From>().all)
        detail::refuse_element(From::number, e, elements<From>().all);
    const detail::element_table& table = color_->table(From::number, To::number);
    if constexpr(std::is_same_v<From, kind::cells> && !std::is_same_v<To, kind::cells>)
      return {table.begin_of(e), table.end_of(e)};
    else
      return {table.kept_begin_of(e), table.kept_begin_of(e + 1)};
  }

  const detail::color_mesh* color_;
};

} // namespace rondo
