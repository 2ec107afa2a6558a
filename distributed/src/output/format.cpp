#include "format.hpp"

#include <algorithm>
#include <stdexcept>

#include "mesh_arrays.hpp"
#include "stored_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {
constexpr std::array<const char*, 10> names{
  "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Float32", "Float64"};

std::string without(const std::string& path, const char* what, const char* package) {
  return "rondo: can't write or read '" + path + "': Rondo was built without " + what + " (" +
         package + "; packages.txt, group [distributed])";
}

[[noreturn, maybe_unused]] void fail_without(
  const std::string& path, const char* what, const char* package) {
  throw std::invalid_argument(without(path, what, package) + "; .vti needs nothing");
}
} // namespace

std::size_t size_of(scalar_type t) {
  constexpr std::array<std::size_t, 10> sizes{1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(t)];
}

std::size_t size_of(const stored_type& t) { return t.components * size_of(t.scalar); }

std::uint64_t file_contents::elements(stored_for what) const {
  return is_beside_cells(what) ? static_cast<std::uint64_t>(count_of(ids_of(what), mesh->counts))
                               : points();
}

bool file_contents::has(stored_for what) const {
  return std::ranges::any_of(fields, [what](const values& v) { return v.what_for == what; });
}

std::uint64_t file_contents::bytes() const {
  std::uint64_t all = 0;
  for(const values& v : fields)
    all += v.bytes();
  return all;
}

std::uint64_t file_contents::values::bytes() const { return count * size_of(type); }

std::string describe(const stored_type& t) {
  return (t.components == 1 ? "" : std::to_string(t.components) + " x ") + name_in_vtk(t.scalar);
}

const char* name_in_vtk(scalar_type t) { return names[static_cast<std::size_t>(t)]; }

bool scalar_of_vtk(std::string_view name, scalar_type& t) {
  for(std::size_t i = 0; i != names.size(); ++i)
    if(name == names[i]) {
      t = static_cast<scalar_type>(i);
      return true;
    }
  return false;
}

void file_format::complete(
  const std::string& part, const std::string& path, const file_contents& /*c*/) const {
  rename_file(part, path);
}

void file_format::check(const std::string& path, const stored_mesh& /*m*/,
  const std::vector<stored_field>& fields) const {
  const std::vector<file_contents::values> all = arrays_of(fields);
  if(all.size() > most_stored_arrays)
    throw std::invalid_argument(
      "rondo: '" + path + "': " + std::to_string(fields.size()) + " fields" +
      (all.size() != fields.size()
          ? ", which are " + std::to_string(all.size()) + " arrays as some have rows"
          : "") +
      ", and a file has " + std::to_string(most_stored_arrays) + " at most; write several files");
  for(std::size_t i = 0; i != all.size(); ++i)
    for(std::size_t j = 0; j != i; ++j)
      if(all[i].name == all[j].name && fields.front().part != row_part::none)
        throw std::invalid_argument(
          "rondo: '" + path + "': two arrays of the cloud have the name '" + all[i].name +
          "' ('positions', 'connectivity' and 'offsets' are taken, and lambdas have no name); show "
          "a function with a name of its own");
      else if(all[i].name == all[j].name)
        throw std::invalid_argument("rondo: '" + path + "': two fields have the name '" +
                                    all[i].name +
                                    "': give each a name of its own, field<double> u{m, \"u\"}");
}

const file_format& format_of(const std::string& path) {
  const auto ends_with = [&path](std::string_view end) { return path.ends_with(end); };
  if(ends_with(".vti"))
    return vti_format();
  if(ends_with(".vtp"))
    return vtp_format();
  if(ends_with(".vtkhdf") || ends_with(".h5") || ends_with(".hdf5")) {
#if RONDO_HAS_HDF5
    return hdf5_format();
#else
    fail_without(path, "HDF5", "libhdf5-dev");
#endif
  }
  if(ends_with(".png")) {
#if RONDO_HAS_PNG
    return png_format();
#else
    fail_without(path, "libpng", "libpng-dev");
#endif
  }
  throw std::invalid_argument("rondo: '" + path +
                              "' doesn't end like a kind of file that there is: .vti, .vtkhdf, .h5 "
                              "or .png, or .vtp for a cloud" +
                              (ends_with(".pvd") ? " (.pvd is for a file_series)" : ""));
}

const file_format& format_of_cloud(const std::string& path) {
  if(!path.ends_with(".vtp"))
    throw std::invalid_argument("rondo: '" + path +
                                "': the file of a cloud is called .vtp (as for a list of them: "
                                "file_series(s, \"atoms.pvd\", {.list_of = \".vtp\"}))");
  return vtp_format();
}

const file_format& format_of_unstructured(const std::string& path) {
#if !RONDO_HAS_HDF5
  throw std::invalid_argument(
    without(path, "HDF5", "libhdf5-dev") + "; files of unstructured meshes are made with it");
#else
  const file_format& kind = format_of(path);
  if(!kind.has_unstructured_meshes())
    throw std::invalid_argument("rondo: '" + path +
                                "': files of unstructured meshes are .vtkhdf or .h5; other kinds "
                                "have fields of structured ones. A series of them is called "
                                "frames.vtkhdf");
  return kind;
#endif
}

} // namespace rondo::detail::inline distributed
