// HDF5 as VTK reads it. The library makes the file, with all values in one piece each, and says where these are; they are
// written and read like those of any file. So it need not know of ranks, nor of MPI.
#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "../output/format.hpp"

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
class handle {
public:
  handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~handle() {
    if(id_ >= 0)
      close_(id_);
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;
  operator hid_t() const { return id_; } // NOLINT(google-explicit-constructor): it is one
  [[nodiscard]] bool is_good() const { return id_ >= 0; }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// What the library says about an error goes into our messages, or nowhere.
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
/// Values of colors, and values that all ranks have, are here and not in /VTKHDF/FieldData: VTK 9.1 reads no image that has that group.
constexpr const char* others = "/Values";

void write_attribute(
  hid_t to, const char* name, hid_t type, const std::vector<hsize_t>& size, const void* values) {
  const handle space(
    size.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(int(size.size()), size.data(), nullptr),
    H5Sclose);
  const handle a(H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  H5Awrite(a, type, values);
}

void write_text(hid_t to, const char* name, const std::string& text) {
  const handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, text.size());
  H5Tset_strpad(type, H5T_STR_NULLPAD); // VTK wants just these
  write_attribute(to, name, type, {}, text.data());
}

template<class T>
bool read_attribute(hid_t from, const char* name, hid_t type, T* values) {
  if(H5Aexists(from, name) <= 0)
    return false;
  const handle a(H5Aopen(from, name, H5P_DEFAULT), H5Aclose);
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
    std::uint64_t size = 0;
    {
      const handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
      H5Pset_alignment(access, least_in_place, bytes_of_page); // values begin a page
      const handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
      if(!file.is_good())
        refuse(path, "write", silence::reason());
      {
        const handle in(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
        describe_image(in, c);
      }
      const handle data(H5Gcreate2(file, points, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      const bool has_others = std::ranges::any_of(
        c.fields, [](const file_contents::values& f) { return !f.is_of_points(); });
      const handle rest(
        has_others ? H5Gcreate2(file, others, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1,
        H5Gclose);
      for(file_contents::values& f : c.fields) {
        std::vector<hsize_t> extents{hsize_t(f.count)};
        if(f.is_of_points())
          extents = {hsize_t(c.extents[2]), hsize_t(c.extents[1]), hsize_t(c.extents[0])};
        if(f.type.components != 1)
          extents.push_back(f.type.components);
        const handle space(
          H5Screate_simple(int(extents.size()), extents.data(), nullptr), H5Sclose);
        const handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_layout(how, H5D_CONTIGUOUS);
        H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
        const handle set(H5Dcreate2(f.is_of_points() ? data : rest, f.name.c_str(),
                           type_in_file(f.type.scalar), space, H5P_DEFAULT, how, H5P_DEFAULT),
          H5Dclose);
        const haddr_t at = set.is_good() ? H5Dget_offset(set) : HADDR_UNDEF;
        if(at == HADDR_UNDEF)
          refuse(path, "write", "field '" + f.name + "': " + silence::reason());
        f.offset = at;
        size = std::max(size, f.offset + f.bytes());
      }
      if(H5Fflush(file, H5F_SCOPE_LOCAL) < 0)
        refuse(path, "write", silence::reason());
    }
    const system_file file(path, system_file::mode::write);
    file.set_size(std::max(size, file.size()));
  }

  file_contents read(const system_file& f) const override {
    const std::lock_guard lock(only_one());
    const silence quiet;
    const std::string& path = f.path();
    const handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if(!file.is_good())
      refuse(path, "read", "it is no file of HDF5, or not whole");
    const handle in(H5Gopen2(file, group, H5P_DEFAULT), H5Gclose);
    const handle data(H5Gopen2(file, points, H5P_DEFAULT), H5Gclose);
    std::array<std::int64_t, 6> extent{};
    if(!in.is_good() || !data.is_good() ||
       !read_attribute(in, "WholeExtent", H5T_NATIVE_INT64, extent.data()))
      refuse(path, "read",
        "it has no image as VTK writes them: group VTKHDF with WholeExtent and "
        "PointData");
    file_contents c;
    for(std::size_t a = 0; a != 3; ++a)
      c.extents[a] = extent[2 * a + 1] - extent[2 * a] + 1;
    read_attribute(in, "Origin", H5T_NATIVE_DOUBLE, c.in_space.origin.data());
    read_attribute(in, "Spacing", H5T_NATIVE_DOUBLE, c.in_space.spacing.data());
    read_attribute(in, "TimeValue", H5T_NATIVE_DOUBLE, &c.time);
    for(const std::string& name : names_in(data))
      c.fields.push_back(find(data, name, stored_for::points, c, path));
    if(H5Lexists(file, others, H5P_DEFAULT) > 0) {
      const handle rest(H5Gopen2(file, others, H5P_DEFAULT), H5Gclose);
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
  static std::vector<std::string> names_in(hid_t g) {
    std::vector<std::string> names;
    const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
      static_cast<std::vector<std::string>*>(to)->emplace_back(name);
      return 0;
    };
    H5Literate(g, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names);
    return names;
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
    const handle set(H5Dopen2(data, name.c_str(), H5P_DEFAULT), H5Dclose);
    if(!set.is_good())
      refuse(path, "read", "field '" + name + "': " + silence::reason());
    const handle type(H5Dget_type(set), H5Tclose);
    const handle space(H5Dget_space(set), H5Sclose);
    file_contents::values v{name, {}, 0, c.points(), what_for};
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
    if(!v.is_of_points()) {
      std::array<hsize_t, H5S_MAX_RANK> extents{1};
      H5Sget_simple_extent_dims(space, extents.data(), nullptr);
      v.count = extents[0];
    }
    if(v.count == 0 || numbers == 0 || numbers % v.count != 0)
      refuse(path, "read", "field '" + name + "' does not have values for all points");
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
