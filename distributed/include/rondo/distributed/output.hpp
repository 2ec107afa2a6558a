#pragma once

/// \file
/// Files of fields. They are written and read by global coordinates, so that any number of ranks reads what any other number has
/// written.
///
/// \code
///   s.write("u.vti", m, u, v);                // for ParaView, or to go on from there
///   s.read("u.vti", m, u, v);                 // perhaps on another number of ranks
///   s.write("u.png", m, u);                   // a picture of a field in two dimensions
///
///   file_series frames{s, "out/heat.pvd", {.every = 10}};   // out/heat.0000.vti, out/heat.0001.vti, ...
///   s.repeat(1000, [&] {
///     s.execute<step>(m, u);
///     frames.write(m, u);                     // in each tenth pass
///   });
/// \endcode
///
/// | file | what it is |
/// |---|---|
/// | `.vti` | an image of VTK: values as they are in memory behind a header of text. Nothing else is needed for it |
/// | `.vtkhdf`, `.h5` | the same in HDF5, if Rondo was built with it |
/// | `.vtkhdf`, `.h5` | of an unstructured mesh: a grid of VTK, with the mesh itself. No other file has its fields |
/// | `.vtp` | a cloud, such as particles, to be looked at: cloud.hpp |
/// | `.png` | a picture of one field of numbers in two dimensions, from its least value to its greatest, if Rondo was built with libpng |
///
/// *Fields* are those of the mesh, of an unstructured one those of its cells and of its vertices; those of an index of it, a value for each
/// color, to be read by a mesh with as many colors; and global ones, which any rank reads: `s.write("last.vti", m, u, passes)`. Programs
/// that show files find these as field data in `.vti`; in HDF5 they are in the group `Values`.
///
/// *Rows.* A ragged field `h` is the arrays `h.lengths` and `h.begins`, with a number for each element, and `h.values`. Any mesh of the
/// same extents reads it, as other fields. Particles are read only if each color has the same cells as when they were written: so name the
/// colors, `.colors = {...}`.
///
/// *Launches.* They come in the order of the program like all others, and end later. A file has what the fields were when it was
/// launched: colors are copied once, into memory that is kept, and the tasks behind may write them as soon as that is done, while
/// the disk is at work. There is one such copy of what is written at a time. They may be in loops of any kind. The future that
/// `write` returns, of the bytes of all values, is ready when the file is complete; nobody has to wait for it, and `scheduler::wait` does.
///
/// *Nothing half.* A file has another name (`.part`) until all ranks have written their parts. If one of them fails, because
/// the disk is full, say, that is a failure of the launch, with the reason, and the file that was there before stays as it was.
///
/// *All ranks* see the same directory. The directory of the file is made if it is not there.

#include <array>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/stored.hpp>

namespace rondo {

struct file_series_options {
  std::uint64_t every =
    1; ///< Of so many calls of `write` the first one writes a file; 10: calls 0, 10, 20 ...
  mesh_in_space where = {};
  std::uint64_t after =
    0; ///< Goes on with the series of an earlier run, behind so many of its calls.
  std::string list_of = ".vti"; ///< What `.pvd` is a list of: ".vtp" of clouds.
};

namespace detail::inline distributed {

class file_numbers;

struct file_request {
  std::string path;
  mesh_in_space in_space;
  stored_mesh mesh;
  std::vector<stored_field> fields;
  file_numbers* numbers; ///< Of a series, or null.
  bool is_cloud = false; ///< Its fields are arrays of one: cloud.hpp.
};

future<std::uint64_t> write_file(
  scheduler& s, file_request what, future<double> time, const std::source_location& where);
future<double> read_file(scheduler& s, file_request what, const std::source_location& where);
std::shared_ptr<file_numbers> make_file_numbers(scheduler& s, const std::string& path,
  const file_series_options& options, const std::source_location& where);

} // namespace detail::inline distributed

/// Files with numbers in their names, which count the files as they are written: `frames.vti` stands for frames.0000.vti,
/// frames.0001.vti and so on. `frames.pvd` is the same, and a list of them with their times, which ParaView opens
/// as one. When it is destroyed, what was launched ends first.
///
/// A program that goes on from a file goes on with its series, too: `.after` says of how many calls of `write` the series is to be
/// kept. Files and entries of the list behind these are taken away, and the next call counts on. The list is complete at any time.
class file_series {
public:
  file_series(scheduler& s, const std::string& path, const file_series_options& options = {},
    std::source_location where = std::source_location::current())
      : scheduler_(&s), in_space_(options.where), made_(where),
        numbers_(detail::make_file_numbers(s, path, options, where)) {}

  template<std::size_t D, detail::in_files... F>
  file_written write(const structured<D>& m, const F&... fields) {
    return write_at({}, made_, m, fields...);
  }
  /// With the time that the values are of: a number, or the future of one.
  template<std::size_t D, detail::in_files... F>
  file_written write(
    detail::located_value<double> time, const structured<D>& m, const F&... fields) {
    return write_at(rondo::make_ready<double>(time.what), time.where, m, fields...);
  }
  template<std::size_t D, detail::in_files... F>
  file_written write(
    detail::located_value<future<double>> time, const structured<D>& m, const F&... fields) {
    return write_at(std::move(time.what), time.where, m, fields...);
  }

  /// The same of an unstructured mesh.
  template<detail::has_cells_in_files M, detail::in_files... F>
  file_written write(const M& m, const F&... fields) {
    return write_at({}, made_, m, fields...);
  }
  template<detail::has_cells_in_files M, detail::in_files... F>
  file_written write(detail::located_value<double> time, const M& m, const F&... fields) {
    return write_at(rondo::make_ready<double>(time.what), time.where, m, fields...);
  }
  template<detail::has_cells_in_files M, detail::in_files... F>
  file_written write(detail::located_value<future<double>> time, const M& m, const F&... fields) {
    return write_at(std::move(time.what), time.where, m, fields...);
  }

  /// A cloud: cloud.hpp.
  template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
  file_written write_cloud(const M& m, const P& rows);
  template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
  file_written write_cloud(detail::located_value<double> time, const M& m, const P& rows);
  template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
  file_written write_cloud(detail::located_value<future<double>> time, const M& m, const P& rows);

private:
  template<class Mesh, detail::in_files... F>
  file_written write_at(
    future<double> time, const std::source_location& where, const Mesh& m, const F&... fields) {
    static_assert(
      sizeof...(F) != 0, "rondo::file_series::write: which fields? frames.write(mesh, u, v)");
    return {detail::write_file(*scheduler_,
      {{}, in_space_, detail::stored_mesh::of(m), {detail::stored_field::of(fields)...},
        numbers_.get()},
      std::move(time), where)};
  }

  scheduler* scheduler_;
  mesh_in_space in_space_;
  std::source_location made_;
  std::shared_ptr<detail::file_numbers> numbers_;
};

namespace detail::inline distributed {

/// With a mesh of either kind.
template<in_files... F>
file_written write_fields(scheduler& s, located_value<std::string> path,
  const file_options& options, stored_mesh m, const F&... fields) {
  static_assert(
    sizeof...(F) != 0, "rondo::scheduler::write: which fields? s.write(path, mesh, u, v)");
  return {write_file(s,
    {std::move(path.what), options.where, std::move(m), {stored_field::of(fields)...}, nullptr},
    options.time, path.where)};
}
template<in_files... F>
file_read read_fields(scheduler& s, located_value<std::string> path, stored_mesh m, F&... fields) {
  static_assert(
    sizeof...(F) != 0, "rondo::scheduler::read: which fields? s.read(path, mesh, u, v)");
  return {read_file(s,
    {std::move(path.what), {}, std::move(m), {stored_field::of(fields)...}, nullptr}, path.where)};
}

} // namespace detail::inline distributed

template<std::size_t D, detail::in_files... F>
file_written scheduler::write(
  detail::located_value<std::string> path, const structured<D>& m, const F&... fields) {
  return detail::write_fields(*this, std::move(path), {}, detail::stored_mesh::of(m), fields...);
}
template<std::size_t D, detail::in_files... F>
file_written scheduler::write(detail::located_value<std::string> path, const file_options& options,
  const structured<D>& m, const F&... fields) {
  return detail::write_fields(
    *this, std::move(path), options, detail::stored_mesh::of(m), fields...);
}
template<std::size_t D, detail::in_files... F>
file_read scheduler::read(
  detail::located_value<std::string> path, const structured<D>& m, F&... fields) {
  return detail::read_fields(*this, std::move(path), detail::stored_mesh::of(m), fields...);
}
template<detail::has_cells_in_files M, detail::in_files... F>
file_written scheduler::write(
  detail::located_value<std::string> path, const M& m, const F&... fields) {
  return detail::write_fields(*this, std::move(path), {}, detail::stored_mesh::of(m), fields...);
}
template<detail::has_cells_in_files M, detail::in_files... F>
file_written scheduler::write(detail::located_value<std::string> path, const file_options& options,
  const M& m, const F&... fields) {
  return detail::write_fields(
    *this, std::move(path), options, detail::stored_mesh::of(m), fields...);
}
template<detail::has_cells_in_files M, detail::in_files... F>
file_read scheduler::read(detail::located_value<std::string> path, const M& m, F&... fields) {
  return detail::read_fields(*this, std::move(path), detail::stored_mesh::of(m), fields...);
}

} // namespace rondo
