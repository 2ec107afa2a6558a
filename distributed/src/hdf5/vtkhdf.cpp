// HDF5 as VTK reads it. The library makes the file, with all values in one piece each, and says where these are; they are
// written and read like those of any file. So it need not know of ranks, nor of MPI.
#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

#include "../output/format.hpp"
#include "../output/mesh_arrays.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// The library has one user at a time.
std::mutex& only_one() {
  // A file that it could not write, since the disk is full, it can't close either, and when the program ends it would try to again,
  // and crash. All others we close ourselves.
  static std::mutex m;
  static const herr_t closes_nothing_at_exit = H5dont_atexit();
  static_cast<void>(closes_nothing_at_exit);
  return m;
}

[[noreturn]] void refuse(const std::string& path, const char* what, const std::string& why) {
  throw std::runtime_error(std::string("rondo: can't ") + what + " '" + path + "': " + why);
}

/// Something of the library that has to be closed.
class hdf5_id {
public:
  hdf5_id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~hdf5_id() {
    if(id_ >= 0)
      close_(id_);
  }
  hdf5_id(const hdf5_id&) = delete;
  hdf5_id& operator=(const hdf5_id&) = delete;
  operator hid_t() const { return id_; } // NOLINT(google-explicit-constructor): it is one
  [[nodiscard]] bool is_good() const { return id_ >= 0; }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The library's words about an error go into our messages, or nowhere.
class silence {
public:
  silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~silence() {
    H5Eclear2(H5E_DEFAULT); // of what it remembers, too
    H5Eset_auto2(H5E_DEFAULT, function_, data_);
  }
  silence(const silence&) = delete;
  silence& operator=(const silence&) = delete;

  static std::string reason() {
    std::string why;
    const auto keep = [](unsigned, const H5E_error2_t* e, void* to) -> herr_t {
      if(e->desc != nullptr)
        *static_cast<std::string*>(to) = e->desc; // the last one is the cause
      return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep, &why);
    return why.empty() ? "HDF5 does not say why" : why;
  }

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

hid_t type_in_file(scalar_type t) {
  switch(t) {
  case scalar_type::int8:
    return H5T_NATIVE_INT8;
  case scalar_type::uint8:
    return H5T_NATIVE_UINT8;
  case scalar_type::int16:
    return H5T_NATIVE_INT16;
  case scalar_type::uint16:
    return H5T_NATIVE_UINT16;
  case scalar_type::int32:
    return H5T_NATIVE_INT32;
  case scalar_type::uint32:
    return H5T_NATIVE_UINT32;
  case scalar_type::int64:
    return H5T_NATIVE_INT64;
  case scalar_type::uint64:
    return H5T_NATIVE_UINT64;
  case scalar_type::float32:
    return H5T_NATIVE_FLOAT;
  case scalar_type::float64:
    return H5T_NATIVE_DOUBLE;
  }
  return -1;
}

constexpr const char* group = "/VTKHDF";
constexpr const char* points = "/VTKHDF/PointData";
constexpr const char* cells = "/VTKHDF/CellData";
/// Values of colors, and values that all ranks have, are here and not in /VTKHDF/FieldData: VTK 9.1 reads no image that has that group.
constexpr const char* others = "/Values";
/// VTK has no place for these.
constexpr const char* faces = "/Faces";
constexpr const char* edges = "/Edges";
/// Of the elements of an unstructured mesh, for one with other colors.
constexpr const char* group_of_ids = "/Ids";

/// In the order of mesh_array.
constexpr std::array<const char*, mesh_arrays> names_of_arrays{"/VTKHDF/Points",
  "/VTKHDF/Connectivity", "/VTKHDF/Offsets", "/VTKHDF/Types", "/Ids/cells", "/Ids/vertices",
  "/Ids/faces", "/Ids/edges"};

void write_attribute(
  hid_t to, const char* name, hid_t type, const std::vector<hsize_t>& size, const void* values) {
  const hdf5_id space(
    size.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(int(size.size()), size.data(), nullptr),
    H5Sclose);
  const hdf5_id a(H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  H5Awrite(a, type, values);
}

void write_text(hid_t to, const char* name, const std::string& text) {
  const hdf5_id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, text.size());
  H5Tset_strpad(type, H5T_STR_NULLPAD); // VTK wants just these
  write_attribute(to, name, type, {}, text.data());
}

/// A group, which is made.
class new_group : public hdf5_id {
public:
  new_group(hid_t in, const char* name)
      : hdf5_id(H5Gcreate2(in, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose) {}
};

/// Makes a data set in one piece, and says where that begins.
std::uint64_t make_room(hid_t in, const char* name, scalar_type type,
  const std::vector<hsize_t>& extents, const std::string& path) {
  const hdf5_id space(H5Screate_simple(int(extents.size()), extents.data(), nullptr), H5Sclose);
  const hdf5_id how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_layout(how, H5D_CONTIGUOUS);
  H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(how, false); // the same values are the same bytes
  const hdf5_id set(
    H5Dcreate2(in, name, type_in_file(type), space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
  if(set.is_good() && extents.front() == 0)
    return 0; // rows without values are nowhere
  const haddr_t at = set.is_good() ? H5Dget_offset(set) : HADDR_UNDEF;
  if(at == HADDR_UNDEF)
    refuse(path, "write", std::string("'").append(name).append("': ") + silence::reason());
  return at;
}

/// A count, as VTK has it: one for each piece of a mesh. Ours has one.
void write_count(hid_t in, const char* name, std::int64_t count) {
  const hsize_t one = 1;
  const hdf5_id space(H5Screate_simple(1, &one, nullptr), H5Sclose);
  const hdf5_id how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(how, false);
  const hdf5_id set(
    H5Dcreate2(in, name, H5T_NATIVE_INT64, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
  H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count);
}

/// Of all pieces.
std::int64_t read_count(hid_t in, const char* name) {
  const hdf5_id set(H5Dopen2(in, name, H5P_DEFAULT), H5Dclose);
  const hdf5_id space(set.is_good() ? H5Dget_space(set) : -1, H5Sclose);
  const hssize_t pieces = space.is_good() ? H5Sget_simple_extent_npoints(space) : 0;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(std::max(pieces, hssize_t{0})));
  if(!counts.empty())
    H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts.data());
  std::int64_t all = 0;
  for(const std::int64_t n : counts)
    all += n;
  return all;
}

template<class T>
bool read_attribute(hid_t from, const char* name, hid_t type, T* values) {
  if(H5Aexists(from, name) <= 0)
    return false;
  const hdf5_id a(H5Aopen(from, name, H5P_DEFAULT), H5Aclose);
  return a.is_good() && H5Aread(a, type, values) >= 0;
}

class vtkhdf final : public file_format {
public:
  void check(const std::string& path, const stored_mesh& m,
    const std::vector<stored_field>& fields) const override {
    file_format::check(path, m, fields);
    for(const stored_field& f : fields)
      if(std::string_view(f.state->name()).find('/') != std::string_view::npos)
        throw std::invalid_argument("rondo: '" + path +
                                    "': a name in HDF5 has no '/', and the field '" +
                                    f.state->name() + "' has one");
  }

  void create(const std::string& path, file_contents& c) const override {
    const std::lock_guard lock(only_one());
    const silence quiet;
    {
      const hdf5_id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
      H5Pset_alignment(access, least_in_place, bytes_of_page); // values begin a page
      const hdf5_id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
      if(!file.is_good())
        refuse(path, "write", silence::reason());
      {
        const new_group in(file, group);
        if(c.mesh.has_value())
          describe_mesh(in, c, path);
        else
          describe_image(in, c);
      }
      for(const stored_for what : {stored_for::cells, stored_for::points, stored_for::faces,
            stored_for::edges, stored_for::colors})
        make_fields(file, what, c, path);
      if(H5Fflush(file, H5F_SCOPE_LOCAL) < 0)
        refuse(path, "write", silence::reason());
    }
    const system_file file(path, system_file::mode::write);
    file.set_size(std::max(end_of(c), file.size()));
    if(c.mesh.has_value())
      file.write(std::as_bytes(std::span(&first_end, 1)),
        c.mesh->offsets[static_cast<std::size_t>(mesh_array::ends)] - sizeof first_end);
  }
  [[nodiscard]] bool has_unstructured_meshes() const override { return true; }

  file_contents read(const system_file& f) const override {
    const std::lock_guard lock(only_one());
    const silence quiet;
    const std::string& path = f.path();
    const hdf5_id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if(!file.is_good())
      refuse(path, "read", "it is no file of HDF5, or not whole");
    const hdf5_id in(H5Gopen2(file, group, H5P_DEFAULT), H5Gclose);
    const hdf5_id data(H5Gopen2(file, points, H5P_DEFAULT), H5Gclose);
    file_contents c;
    if(in.is_good() && H5Lexists(in, "NumberOfCells", H5P_DEFAULT) > 0)
      read_mesh(file, in, c, path);
    else
      read_image(in, data, c, path);
    read_attribute(in, "TimeValue", H5T_NATIVE_DOUBLE, &c.time);
    if(c.mesh.has_value())
      for(const stored_for what : {stored_for::cells, stored_for::faces, stored_for::edges}) {
        if(c.elements(what) == 0 || H5Lexists(file, group_of(what), H5P_DEFAULT) <= 0)
          continue;
        const hdf5_id those(H5Gopen2(file, group_of(what), H5P_DEFAULT), H5Gclose);
        for(const std::string& name : names_in(those))
          c.fields.push_back(find(those, name, what, c, path));
      }
    for(const std::string& name : names_in(data))
      c.fields.push_back(
        find(data, name, c.mesh.has_value() ? stored_for::vertices : stored_for::points, c, path));
    if(H5Lexists(file, others, H5P_DEFAULT) > 0) {
      const hdf5_id rest(H5Gopen2(file, others, H5P_DEFAULT), H5Gclose);
      for(const std::string& name : names_in(rest))
        try {
          c.fields.push_back(find(rest, name, stored_for::all, c, path));
        }
        catch(const std::runtime_error&) { // NOLINT: others keep all kinds of things there
        }
    }
    return c;
  }

private:
  static constexpr std::int64_t first_end = 0; ///< Where the first cell's corners begin.

  static std::vector<std::string> names_in(hid_t g) {
    std::vector<std::string> names;
    if(g < 0)
      return names;
    const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
      static_cast<std::vector<std::string>*>(to)->emplace_back(name);
      return 0;
    };
    H5Literate(g, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names);
    return names;
  }

  /// The end of what has to be there.
  static std::uint64_t end_of(const file_contents& c) {
    std::uint64_t end = 0;
    for(const file_contents::values& f : c.fields)
      end = std::max(end, f.offset + f.bytes());
    for(std::size_t a = 0; c.mesh.has_value() && a != mesh_arrays; ++a) {
      const auto what = static_cast<mesh_array>(a);
      end = std::max(
        end, c.mesh->offsets[a] + static_cast<std::uint64_t>(count_of(what, c.mesh->counts)) *
                                    size_of(type_of(what, c.mesh->vertices_of_face)));
    }
    return end;
  }

  /// The group that values are in.
  static const char* group_of(stored_for what) {
    return what == stored_for::cells   ? cells
           : what == stored_for::faces ? faces
           : what == stored_for::edges ? edges
           : is_of_mesh(what)          ? points
                                       : others;
  }
  /// Makes room for the fields in the same group as those of `what`.
  static void make_fields(hid_t file, stored_for what, file_contents& c, const std::string& path) {
    const auto is_here = [what](const file_contents::values& f) {
      return group_of(f.what_for) == group_of(what);
    };
    // VTK wants that of points in any image.
    if(what != stored_for::points && std::ranges::none_of(c.fields, is_here))
      return;
    const new_group in(file, group_of(what));
    for(file_contents::values& f : c.fields) {
      if(!is_here(f))
        continue;
      std::vector<hsize_t> extents{hsize_t(f.count)};
      if(f.what_for == stored_for::points)
        extents = {hsize_t(c.extents[2]), hsize_t(c.extents[1]), hsize_t(c.extents[0])};
      if(f.type.components != 1)
        extents.push_back(f.type.components);
      f.offset = make_room(in, f.name.c_str(), f.type.scalar, extents, path);
    }
  }

  /// A grid of VTK in one piece.
  static void describe_mesh(hid_t in, file_contents& c, const std::string& path) {
    const std::array<int, 2> version{1, 0}; // what is here has not changed since
    write_attribute(in, "Version", H5T_NATIVE_INT, {2}, version.data());
    write_text(in, "Type", "UnstructuredGrid");
    if(c.time == c.time)
      write_attribute(in, "TimeValue", H5T_NATIVE_DOUBLE, {}, &c.time);
    const mesh_counts& n = c.mesh->counts;
    write_count(in, "NumberOfPoints", n.vertices);
    write_count(in, "NumberOfCells", n.cells);
    write_count(in, "NumberOfConnectivityIds", n.corners);
    const new_group made(in, group_of_ids);
    for(std::size_t a = 0; a != mesh_arrays; ++a) {
      const auto what = static_cast<mesh_array>(a);
      if(!has_array(what, *c.mesh))
        continue;
      const stored_type type = type_of(what, c.mesh->vertices_of_face);
      std::vector<hsize_t> extents{static_cast<hsize_t>(count_of(what, n))};
      if(what == mesh_array::ends)
        ++extents[0]; // the first one is where the corners begin
      if(type.components != 1)
        extents.push_back(type.components);
      c.mesh->offsets[a] = make_room(in, names_of_arrays[a], type.scalar, extents, path);
    }
    c.mesh->offsets[static_cast<std::size_t>(mesh_array::ends)] += sizeof first_end;
  }

  static void read_mesh(hid_t file, hid_t in, file_contents& c, const std::string& path) {
    c.mesh.emplace().counts = {read_count(in, "NumberOfCells"), read_count(in, "NumberOfPoints"),
      read_count(in, "NumberOfConnectivityIds")};
    c.extents = {c.mesh->counts.cells, 1, 1};
    for(const mesh_array what : {mesh_array::cell_ids, mesh_array::vertex_ids}) {
      const auto a = static_cast<std::size_t>(what);
      const hdf5_id set(H5Dopen2(file, names_of_arrays[a], H5P_DEFAULT), H5Dclose);
      const haddr_t at = set.is_good() ? H5Dget_offset(set) : HADDR_UNDEF;
      if(at == HADDR_UNDEF)
        refuse(path, "read",
          std::string("it has no ids of cells and vertices as Rondo writes them, in ")
            .append(names_of_arrays[a]));
      c.mesh->offsets[a] = at;
    }
    read_ids_of_vertices(file, mesh_array::face_ids, c.mesh->counts.faces, c);
    read_ids_of_vertices(file, mesh_array::edge_ids, c.mesh->counts.edges, c);
  }

  /// There are some if the file has fields of what is known by these.
  static void read_ids_of_vertices(
    hid_t file, mesh_array what, std::int64_t& count, file_contents& c) {
    const char* const name = names_of_arrays[static_cast<std::size_t>(what)];
    if(H5Lexists(file, name, H5P_DEFAULT) <= 0)
      return;
    const hdf5_id set(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
    const hdf5_id space(set.is_good() ? H5Dget_space(set) : -1, H5Sclose);
    std::array<hsize_t, H5S_MAX_RANK> extents{0, 1};
    const haddr_t at = set.is_good() ? H5Dget_offset(set) : HADDR_UNDEF;
    if(at == HADDR_UNDEF || H5Sget_simple_extent_dims(space, extents.data(), nullptr) < 0)
      return;
    count = static_cast<std::int64_t>(extents[0]);
    c.mesh->offsets[static_cast<std::size_t>(what)] = at;
    if(what == mesh_array::face_ids)
      c.mesh->vertices_of_face = static_cast<unsigned>(extents[1]);
  }

  static void read_image(hid_t in, hid_t data, file_contents& c, const std::string& path) {
    std::array<std::int64_t, 6> extent{};
    if(in < 0 || data < 0 || !read_attribute(in, "WholeExtent", H5T_NATIVE_INT64, extent.data()))
      refuse(path, "read",
        "it has no image as VTK writes them: group VTKHDF with WholeExtent and "
        "PointData");
    for(std::size_t a = 0; a != 3; ++a)
      c.extents[a] = extent[2 * a + 1] - extent[2 * a] + 1;
    read_attribute(in, "Origin", H5T_NATIVE_DOUBLE, c.in_space.origin.data());
    read_attribute(in, "Spacing", H5T_NATIVE_DOUBLE, c.in_space.spacing.data());
  }

  static void describe_image(hid_t in, const file_contents& c) {
    const std::array<int, 2> version{1, 0};
    write_attribute(in, "Version", H5T_NATIVE_INT, {2}, version.data());
    write_text(in, "Type", "ImageData");
    std::array<int, 6> extent{};
    for(std::size_t a = 0; a != 3; ++a)
      extent[2 * a + 1] = static_cast<int>(c.extents[a] - 1);
    write_attribute(in, "WholeExtent", H5T_NATIVE_INT, {6}, extent.data());
    write_attribute(in, "Origin", H5T_NATIVE_DOUBLE, {3}, c.in_space.origin.data());
    write_attribute(in, "Spacing", H5T_NATIVE_DOUBLE, {3}, c.in_space.spacing.data());
    const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
    write_attribute(in, "Direction", H5T_NATIVE_DOUBLE, {9}, direction.data());
    if(c.time == c.time)
      write_attribute(in, "TimeValue", H5T_NATIVE_DOUBLE, {}, &c.time);
  }

  static file_contents::values find(hid_t data, const std::string& name, stored_for what_for,
    const file_contents& c, const std::string& path) {
    const hdf5_id set(H5Dopen2(data, name.c_str(), H5P_DEFAULT), H5Dclose);
    if(!set.is_good())
      refuse(path, "read", "field '" + name + "': " + silence::reason());
    const hdf5_id type(H5Dget_type(set), H5Tclose);
    const hdf5_id space(H5Dget_space(set), H5Sclose);
    file_contents::values v{name, {}, 0, c.elements(what_for), what_for};
    bool is_known = false;
    for(unsigned t = 0; t != 10; ++t)
      if(H5Tequal(type, type_in_file(static_cast<scalar_type>(t))) > 0) {
        v.type.scalar = static_cast<scalar_type>(t);
        is_known = true;
      }
    if(!is_known)
      refuse(path, "read",
        "field '" + name + "' has values of another type than this machine's numbers");
    const auto numbers = static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space));
    if(!v.is_of_mesh()) {
      std::array<hsize_t, H5S_MAX_RANK> extents{1, 1};
      H5Sget_simple_extent_dims(space, extents.data(), nullptr);
      v.count = extents[0];
      if(v.count == 0) { // rows without values
        v.type.components = static_cast<std::uint32_t>(extents[1]);
        return v;
      }
    }
    if(v.count == 0 || numbers == 0 || numbers % v.count != 0)
      refuse(path, "read", "field '" + name + "' does not have values for all of the mesh");
    v.type.components = static_cast<std::uint32_t>(numbers / v.count);
    const haddr_t at = H5Dget_offset(set);
    if(at == HADDR_UNDEF)
      refuse(path, "read",
        "the values of '" + name +
          "' are in pieces, or compressed; 'h5repack -l CONTI -f NONE' makes them whole");
    v.offset = at;
    return v;
  }
};

} // namespace

const file_format& hdf5_format() {
  static const vtkhdf only;
  return only;
}

} // namespace rondo::detail::inline distributed
