#pragma once

/// \file
/// What files of fields are about, whatever the types: a mesh, values of some type, and where the colors of this rank
/// have them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <rondo/distributed/box.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/file_mesh.hpp>
#include <rondo/distributed/mistakes.hpp>
#include <rondo/distributed/ragged.hpp>
#include <rondo/distributed/selection.hpp>
#include <rondo/distributed/structured.hpp>

namespace rondo::detail::inline distributed {

enum class scalar_type : std::uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

/// The type of a value: so many numbers.
struct stored_type {
  scalar_type scalar = scalar_type::uint8;
  std::uint32_t components = 1;

  friend constexpr bool operator==(const stored_type&, const stored_type&) = default;
};

template<class T>
constexpr scalar_type scalar_type_of() {
  if constexpr(std::is_floating_point_v<T>)
    return sizeof(T) == sizeof(float) ? scalar_type::float32 : scalar_type::float64;
  else {
    constexpr unsigned log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<scalar_type>(2 * log + (std::is_signed_v<T> ? 0U : 1U));
  }
}

/// Numbers, and arrays of them, are what they are. All else is stored as bytes: a program of Rondo reads them again.
template<class T>
struct stored_as {
  static constexpr stored_type type{scalar_type::uint8, sizeof(T)};
};
template<class T>
  requires((std::is_integral_v<T> && sizeof(T) <= 8) ||
           (std::is_floating_point_v<T> && sizeof(T) <= sizeof(double)))
struct stored_as<T> {
  static constexpr stored_type type{scalar_type_of<T>(), 1};
};
template<class T, std::size_t N>
struct stored_as<std::array<T, N>> {
  static constexpr stored_type type{
    stored_as<T>::type.scalar, static_cast<std::uint32_t>(N* stored_as<T>::type.components)};
};

/// What the values of its rows are stored as.
template<class T>
struct stored_as<ragged<T>> : stored_as<T> {};

/// The elements that a field, or an array of a file, has values for.
enum class stored_for : std::uint8_t {
  points,   ///< The points of a structured mesh.
  cells,    ///< The cells of an unstructured one.
  vertices, ///< The vertices of that.
  faces,    ///< Its faces.
  edges,    ///< Its edges.
  colors,   ///< One for each color of the mesh: an index of it, and particles.
  all,      ///< Some that every rank has: a global one.
  rows      ///< Those in the rows of a ragged field: stored_arrays.hpp.
};
constexpr bool is_of_mesh(stored_for what) { return what <= stored_for::edges; }

/// Returns true for elements of an unstructured mesh that are not its cells.
constexpr bool is_beside_cells(stored_for what) {
  return what >= stored_for::vertices && what <= stored_for::edges;
}

/// Something for each of these kinds.
template<class T>
class of_kinds_beside_cells {
public:
  T& operator[](stored_for what) { return all_[index(what)]; }
  const T& operator[](stored_for what) const { return all_[index(what)]; }

private:
  static constexpr std::size_t index(stored_for what) {
    return static_cast<std::size_t>(what) - static_cast<std::size_t>(stored_for::vertices);
  }
  std::array<T, 3> all_{};
};

/// What an array of a file has of rows; `none`: it is of a field without.
enum class row_part : std::uint8_t {
  none,
  lengths,
  begins,
  cells,
  values,
  // Parts of a cloud:
  positions,
  numbers, ///< 0, 1, 2, ...: the numbers of its points.
  ends     ///< 1, 2, 3, ...
};

struct stored_field {
  template<class F>
    requires has_values_in_files<F>
  static stored_field of(const F& f) {
    return {&f.state(), stored_as<typename F::value_type>::type};
  }
  field_state* state;
  stored_type type;
  // Found out when it is launched:
  stored_for what_for = stored_for::points;
  std::uint64_t count = 0; ///< The number of values, or rows, on all ranks.
  // An array of a cloud:
  row_part part = row_part::none;
  std::string_view name{}; ///< Stays.
  /// Makes numbers of values.
  void (*convert)(const std::byte* from, std::size_t values, std::byte* to) = nullptr;
};

/// A mesh of up to three dimensions: along those that it does not have it is one point thick. Elements of each kind of an unstructured one
/// lie in a row, in the order of a file: its points are its cells.
struct stored_mesh {
  using boxes_beside_cells = of_kinds_beside_cells<box<3>>;

  struct color {
    box<3> points;
    selection what; ///< The same in memory.
    color_id number;
    boxes_beside_cells
      beside{}; ///< The number of each kind of an unstructured mesh; in memory the first ones of each kind.

    /// Values that all ranks have are written with the first color, wherever that is.
    [[nodiscard]] bool has_global() const { return number == 0; }
    [[nodiscard]] const box<3>& box_for(stored_for w) const {
      return is_beside_cells(w) ? beside[w] : points;
    }
    [[nodiscard]] selection selected(stored_for w) const {
      return is_beside_cells(w) ? selection::of_range(0, beside[w].size()) : what;
    }
  };

  template<std::size_t D>
  static stored_mesh of(const structured<D>& m) {
    stored_mesh all{
      .state = &m.state(), .dimensions = D, .whole = in_space(m.coloring().mesh()), .colors = {}};
    for(std::size_t c = 0; c != m.local_colors(); ++c) {
      const box<D> own = m.view_of(c).owned();
      all.colors.push_back({in_space(own), selection::of(own), m.mine()[c]});
    }
    return all;
  }
  /// An unstructured one: the topology of its cells, and those of other kinds that it has.
  static stored_mesh of(topology_state& cells, const of_kinds_beside_cells<topology_state*>& others,
    std::shared_ptr<const file_mesh> shape);
  template<class Mesh>
    requires has_cells_in_files<Mesh>
  static stored_mesh of(const Mesh& m) {
    return m.in_files();
  }

  [[nodiscard]] const box<3>& box_for(stored_for w) const {
    return is_beside_cells(w) ? all_beside[w] : whole;
  }

  topology_state* state;
  unsigned dimensions;
  box<3> whole;
  std::vector<color> colors; ///< The colors of this rank.
  // For an unstructured mesh:
  std::shared_ptr<const file_mesh> shape{};
  of_kinds_beside_cells<topology_state*> others{};
  boxes_beside_cells all_beside{};

private:
  template<std::size_t D>
  static box<3> in_space(const box<D>& b) {
    box<3> all{{0, 0, 0}, {1, 1, 1}};
    for(std::size_t a = 0; a != D; ++a) {
      all.lo[a] = b.lo[a];
      all.hi[a] = b.hi[a];
    }
    return all;
  }
};

} // namespace rondo::detail::inline distributed
