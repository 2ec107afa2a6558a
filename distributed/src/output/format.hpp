#pragma once

/// \file
/// Kinds of files of fields. All have the values of a field in one piece, in the order of the mesh's points, so that every
/// rank can write and read its own part of it when it knows where that begins.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rondo/distributed/file_options.hpp>
#include <rondo/distributed/stored.hpp>

#include "file.hpp"

namespace rondo::detail::inline distributed {

/// Arrays of values; a ragged field has up to four of them: stored_arrays.hpp.
constexpr std::size_t most_stored_arrays = 32;
inline constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

/// An unstructured mesh in a file, and where its arrays begin. It has no faces and edges if nothing has values for these.
struct mesh_contents {
  mesh_counts counts;
  unsigned vertices_of_face = 0;
  std::array<std::uint64_t, mesh_arrays> offsets{};
};

/// What is in a file.
struct file_contents {
  /// An array.
  struct values {
    std::string name;
    stored_type type;
    std::uint64_t offset = 0; ///< Of the first one in the file, in bytes.
    std::uint64_t count = 0;
    /// In a file those of colors look like those that all have.
    stored_for what_for = stored_for::points;
    std::size_t field = 0; ///< Of those that are written or read.
    row_part part = row_part::none;

    [[nodiscard]] bool is_of_mesh() const { return detail::is_of_mesh(what_for); }
    [[nodiscard]] std::uint64_t bytes() const;
  };

  std::array<std::int64_t, 3> extents{1, 1, 1};
  std::optional<mesh_contents> mesh{}; ///< Then the extents are its cells.
  mesh_in_space in_space;
  double time = no_time;
  std::vector<values> fields;

  [[nodiscard]] std::uint64_t points() const {
    return static_cast<std::uint64_t>(extents[0] * extents[1] * extents[2]);
  }
  [[nodiscard]] std::uint64_t elements(stored_for what) const;
  /// There are values for these.
  [[nodiscard]] bool has(stored_for what) const;
  [[nodiscard]] std::uint64_t bytes() const; ///< Of all values.
};

std::size_t size_of(scalar_type t);
std::size_t size_of(const stored_type& t);
/// "3 x float64".
std::string describe(const stored_type& t);
/// What VTK calls it, as in "Float64", and back: false if it calls nothing so.
const char* name_in_vtk(scalar_type t);
bool scalar_of_vtk(std::string_view name, scalar_type& t);

class file_format {
public:
  virtual ~file_format() = default;
  /// Makes the file there, with room for all values, and says where they go: where there are many, at the beginning of a page.
  virtual void create(const std::string& path, file_contents& c) const = 0;
  /// All values are in `part`: makes it the file at `path`.
  virtual void complete(
    const std::string& part, const std::string& path, const file_contents& c) const;
  virtual file_contents read(const system_file& f) const = 0;
  [[nodiscard]] virtual bool has_unstructured_meshes() const { return false; }
  [[nodiscard]] virtual bool has_clouds() const { return false; }
  /// Throws std::invalid_argument if such a file can't have that.
  virtual void check(
    const std::string& path, const stored_mesh& m, const std::vector<stored_field>& fields) const;
};

/// By how the name ends. Throws std::invalid_argument, and says what there is, if that is none.
const file_format& format_of(const std::string& path);
/// Of an unstructured mesh.
const file_format& format_of_unstructured(const std::string& path);
const file_format& format_of_cloud(const std::string& path);

const file_format& vti_format();
const file_format& vtp_format();
const file_format& hdf5_format();
const file_format& png_format();

} // namespace rondo::detail::inline distributed
