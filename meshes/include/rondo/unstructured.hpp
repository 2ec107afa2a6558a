#pragma once

/// \file
/// Unstructured meshes: triangles, tetrahedra, polygons, ..., cut into colors.
///
/// \code
///   using mesh = unstructured<kind::cells, kind::vertices, links<kind::cells, kind::cells>>;
///   using values = field<double>;
///
///   void smooth(mesh::view m, values::accessor<wo> to, values::accessor<ro, ro> from) {
///     for(auto c : m.owned<kind::cells>()) {
///       double sum = from(c);
///       for(auto n : m.cells_of(c))                     // over its faces; own ones, or ghosts
///         sum += from(n);
///       to(c) = sum / (1 + m.cells_of(c).size());
///     }
///   }
///
///   mesh m{s, gmsh_file("wing.msh"), {.colors = 64}};   // or any function that gives a mesh_piece
///   values u{m, "u"}, v{m, "v"};                        // a value for each cell
///   values x{m.of<kind::vertices>(), "x"};              // and for each vertex
///   s.execute<smooth>(m, v, u);
/// \endcode
///
/// docs/unstructured.md says all of it. The pages of the parts: mesh_piece.hpp, what a rank hands in; kinds.hpp, elements and tables;
/// mesh_view.hpp, what a task sees; cut.hpp, which color a cell belongs to; gmsh.hpp, files.

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/meshes/assemble.hpp>
#include <rondo/meshes/boxes.hpp>
#include <rondo/meshes/cut.hpp>
#include <rondo/meshes/gmsh.hpp>
#include <rondo/meshes/kinds.hpp>
#include <rondo/meshes/mesh_piece.hpp>
#include <rondo/meshes/mesh_space.hpp>
#include <rondo/meshes/mesh_view.hpp>
#include <rondo/rondo.hpp>
#include <rondo/topologies.hpp>

namespace rondo {

/// Elements that two cells have in common if one of them is to see the other one.
enum class seen_over { vertices, faces };

struct unstructured_options {
  /// A few for each worker of all ranks; name them for the same bits on any number of ranks. 0: four for each rank, if there are as many cells.
  color_id colors = 0;
  unsigned ghosts = 1;
  seen_over over = seen_over::vertices;
  cut_function cut = cut_refined; ///< Which color each cell belongs to; cut.hpp has others.
  std::string name = "mesh";
};

template<class... Parts>
class unstructured;

namespace detail::inline meshes {

/// Of the cells, with the view of all.
template<class Mesh>
class cells_space;
template<class... Parts>
class cells_space<unstructured<Parts...>> final : public mesh_space {
public:
  using mesh_space::mesh_space;
  using view = mesh_view<unstructured<Parts...>, Parts...>;
};

/// Of other elements. Tasks over them are launched with the mesh.
template<class Kind>
class elements_space final : public mesh_space {
public:
  using mesh_space::mesh_space;
  class view {
  public:
    using of_topology = topo::made_of<elements_space>;
    explicit view(const mesh_space::part& p) : color_(p.of) {}
    [[nodiscard]] color_id color() const { return color_->color; }
    [[nodiscard]] color_id colors() const { return color_->colors; }
    [[nodiscard]] element_range<Kind> owned() const { return {0, color_->of(Kind::number).owned}; }

  private:
    const color_mesh* color_;
  };
};

/// Refuses what can't be, and makes the mesh; collective.
[[nodiscard]] std::shared_ptr<mesh_of_rank> make_mesh(scheduler& s,
  const std::function<mesh_piece(unsigned, unsigned)>& pieces, const unstructured_options& o,
  const mesh_wish& wish, const std::source_location& where);
[[nodiscard]] std::uint32_t number_of_set(const mesh_of_rank& m, std::string_view name);
[[nodiscard]] std::uint64_t fingerprint(const mesh_of_rank& m);
[[nodiscard]] stored_mesh stored_mesh_of(topology_state& cells,
  const of_kinds_beside_cells<topology_state*>& others, std::shared_ptr<const mesh_of_rank> m);

template<class X>
constexpr void wish_for(mesh_wish& w) {
  if constexpr(is_table<X>)
    w.tables[index_of(X::from::number)][index_of(X::to::number)] = true;
  else
    w.kinds[index_of(X::number)] = true;
}

/// The elements of a kind that is none of the cells, or nothing.
template<class X>
struct topology_of_kind {
  topology_of_kind(const topology& /*cells*/, const std::shared_ptr<mesh_of_rank>& /*whole*/,
    const std::string& /*name*/, const std::source_location& /*where*/) {}
};
template<class X>
  requires(!is_table<X> && !std::is_same_v<X, kind::cells>)
struct topology_of_kind<X> {
  topo::made_of<elements_space<X>> made;
  topology_of_kind(const topology& cells, const std::shared_ptr<mesh_of_rank>& whole,
    const std::string& name, const std::source_location& where)
      : made(cells, elements_space<X>(whole, X::number),
          {.name = name, .fingerprint = fingerprint(*whole)}, where) {}
};

} // namespace detail::inline meshes

/// `Parts`: kind::cells, other kinds, and `links` between kinds.
template<class... Parts>
class unstructured : public topo::made_of<detail::cells_space<unstructured<Parts...>>> {
  using base = topo::made_of<detail::cells_space<unstructured>>;

public:
  /// `pieces(part, parts)` gives the cells of a part, as mesh_piece.hpp says: gmsh_file, or a function of the program. All ranks make the mesh together, and
  /// each calls it once. Throws std::invalid_argument if the pieces are no mesh, or the options can't be.
  template<class Pieces>
  unstructured(scheduler& s, const Pieces& pieces, const unstructured_options& options = {},
    std::source_location where = std::source_location::current())
      : unstructured(
          s, detail::make_mesh(s, made_by(pieces), options, wish(), where), options.name, where) {}

  /// For fields of a kind of elements.
  template<class Kind>
  [[nodiscard]] const topology& of() const {
    if constexpr(std::is_same_v<Kind, kind::cells>)
      return *this;
    else {
      static_assert(detail::is_one_of<Kind, Parts...>,
        "rondo::unstructured: the mesh has no elements of this kind; add it: "
        "unstructured<kind::cells, kind::faces, ...>");
      return std::get<detail::topology_of_kind<Kind>>(others_).made;
    }
  }

  /// What files have of it: for s.write and s.read.
  [[nodiscard]] detail::stored_mesh in_files() const {
    constexpr bool has_vertices = detail::is_one_of<kind::vertices, Parts...>;
    static_assert(has_vertices,
      "rondo::unstructured: files have the vertices of a mesh, too; add them: "
      "unstructured<kind::cells, kind::vertices, ...>");
    detail::of_kinds_beside_cells<detail::topology_state*> others;
    others[detail::stored_for::vertices] = state_of<kind::vertices>();
    others[detail::stored_for::faces] = state_of<kind::faces>();
    others[detail::stored_for::edges] = state_of<kind::edges>();
    return detail::stored_mesh_of(this->state(), others, this->space().share_mesh());
  }

  /// How many there are, on all ranks.
  template<class Kind>
  [[nodiscard]] std::int64_t count() const {
    static_assert(detail::is_one_of<Kind, Parts...>,
      "rondo::unstructured: the mesh has no elements of this kind; add it: "
      "unstructured<kind::cells, kind::faces, ...>");
    return mesh().in_all[detail::index_of(Kind::number)];
  }
  /// Of cells: 1, 2 or 3.
  [[nodiscard]] unsigned dimension() const { return mesh().dimension; }
  /// The set with that name. Throws std::invalid_argument, and says which there are, if there is none.
  [[nodiscard]] mesh_set find(std::string_view name) const {
    return {detail::number_of_set(mesh(), name), mesh().mark_of_sets};
  }

private:
  static_assert(detail::is_one_of<kind::cells, Parts...>,
    "rondo::unstructured: name kind::cells first; it is what the mesh is cut into");
  static_assert((detail::has_kinds_of<Parts, Parts...> && ...),
    "rondo::unstructured: a table is between kinds that the mesh has not; name both: "
    "unstructured<kind::cells, kind::faces, links<kind::faces, kind::cells>>");
  static_assert((detail::is_possible<Parts> && ...),
    "rondo::unstructured: faces have no neighbours among faces, nor edges among edges; there are "
    "links<kind::cells, kind::cells> and links<kind::vertices, kind::vertices>");

  template<class Pieces>
  static decltype(auto) made_by(const Pieces& pieces) {
    static_assert(std::is_invocable_r_v<mesh_piece, const Pieces&, unsigned, unsigned>,
      "rondo::unstructured: cells come from a function mesh_piece(unsigned part, unsigned "
      "parts), or a gmsh_file: mesh_piece.hpp");
    return (pieces);
  }
  static constexpr detail::mesh_wish wish() {
    detail::mesh_wish w;
    (detail::wish_for<Parts>(w), ...);
    return w;
  }
  unstructured(scheduler& s, const std::shared_ptr<detail::mesh_of_rank>& whole,
    const std::string& name, const std::source_location& where)
      : base(s, detail::cells_space<unstructured>(whole, element_kind::cells),
          {.name = name, .fingerprint = detail::fingerprint(*whole)}, where),
        others_(detail::topology_of_kind<Parts>(*this, whole, name, where)...) {}
  /// Null if the mesh has none of these.
  template<class Kind>
  [[nodiscard]] detail::topology_state* state_of() const {
    if constexpr(detail::is_one_of<Kind, Parts...>)
      return &std::get<detail::topology_of_kind<Kind>>(others_).made.state();
    else
      return nullptr;
  }
  [[nodiscard]] const detail::mesh_of_rank& mesh() const { return this->space().mesh(); }

  std::tuple<detail::topology_of_kind<Parts>...> others_;
};

} // namespace rondo
