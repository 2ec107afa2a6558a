// Pictures. The values are written to a file like all others; when they are all there, one rank makes a picture of it.
#include <png.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "../output/format.hpp"

namespace rondo::detail::inline distributed {

namespace {

struct color {
  double red, green, blue;
};

/// From dark blue over green to yellow: brightness grows evenly, so it reads in grey as well, and by those who see
/// red and green alike.
constexpr std::array<color, 9> scale{{{68, 1, 84}, {71, 44, 122}, {59, 81, 139}, {44, 113, 142},
  {33, 144, 141}, {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}}};
constexpr color no_number{200, 30, 30};

std::array<png_byte, 3> pixel(double x) {
  color c = no_number;
  if(x == x) {
    const double at = std::clamp(x, 0.0, 1.0) * (scale.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), scale.size() - 2);
    const double part = at - static_cast<double>(i);
    const auto mix = [part](double a, double b) { return a + part * (b - a); };
    c = {mix(scale[i].red, scale[i + 1].red), mix(scale[i].green, scale[i + 1].green),
      mix(scale[i].blue, scale[i + 1].blue)};
  }
  return {
    png_byte(std::lround(c.red)), png_byte(std::lround(c.green)), png_byte(std::lround(c.blue))};
}

template<class T>
void convert(const std::byte* from, std::vector<double>& to) {
  const auto* const values = reinterpret_cast<const T*>(from);
  std::transform(
    values, values + to.size(), to.begin(), [](T x) { return static_cast<double>(x); });
}

std::vector<double> values_in(const system_file& f, const file_contents& c) {
  std::vector<double> all(c.points());
  std::vector<std::byte> bytes(c.points() * size_of(c.fields[0].type));
  f.read(bytes, 0);
  switch(c.fields[0].type.scalar) {
  case scalar_type::int8:
    convert<std::int8_t>(bytes.data(), all);
    break;
  case scalar_type::uint8:
    convert<std::uint8_t>(bytes.data(), all);
    break;
  case scalar_type::int16:
    convert<std::int16_t>(bytes.data(), all);
    break;
  case scalar_type::uint16:
    convert<std::uint16_t>(bytes.data(), all);
    break;
  case scalar_type::int32:
    convert<std::int32_t>(bytes.data(), all);
    break;
  case scalar_type::uint32:
    convert<std::uint32_t>(bytes.data(), all);
    break;
  case scalar_type::int64:
    convert<std::int64_t>(bytes.data(), all);
    break;
  case scalar_type::uint64:
    convert<std::uint64_t>(bytes.data(), all);
    break;
  case scalar_type::float32:
    convert<float>(bytes.data(), all);
    break;
  case scalar_type::float64:
    convert<double>(bytes.data(), all);
    break;
  }
  return all;
}

/// From the least number to the greatest is from 0 to 1. A NaN stays one.
void normalize(std::vector<double>& all) {
  double least = HUGE_VAL;
  double most = -HUGE_VAL;
  for(const double x : all)
    if(std::isfinite(x)) {
      least = std::min(least, x);
      most = std::max(most, x);
    }
  const double width = most > least ? most - least : 1;
  for(double& x : all)
    x = (x - least) / width;
}

/// The axis 1 points up.
std::vector<png_byte> picture_of(
  const std::vector<double>& all, std::size_t width, std::size_t height) {
  std::vector<png_byte> rgb;
  rgb.reserve(3 * all.size());
  for(std::size_t j = height; j-- != 0;)
    for(std::size_t i = 0; i != width; ++i) {
      const std::array<png_byte, 3> p = pixel(all[j * width + i]);
      rgb.insert(rgb.end(), p.begin(), p.end());
    }
  return rgb;
}

class png final : public file_format {
public:
  void check(const std::string& path, const stored_mesh& m,
    const std::vector<stored_field>& fields) const override {
    file_format::check(path, m, fields);
    if(m.dimensions != 2 || fields.size() != 1 || fields[0].type.components != 1 ||
       fields[0].what_for != stored_for::points || fields[0].state->has_rows())
      throw std::invalid_argument(
        "rondo: '" + path +
        "': a picture is of one field of numbers in two dimensions; .vti has all others");
  }

  void create(const std::string& path, file_contents& c) const override {
    c.fields[0].offset = 0;
    system_file(path, system_file::mode::create).set_size(c.points() * size_of(c.fields[0].type));
  }

  void complete(
    const std::string& part, const std::string& path, const file_contents& c) const override {
    std::vector<double> all = values_in(system_file(part, system_file::mode::read), c);
    normalize(all);
    const std::vector<png_byte> rgb =
      picture_of(all, std::size_t(c.extents[0]), std::size_t(c.extents[1]));
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.format = PNG_FORMAT_RGB;
    image.width = png_uint_32(c.extents[0]);
    image.height = png_uint_32(c.extents[1]);
    // Over the values, which are not needed any more.
    if(png_image_write_to_file(&image, part.c_str(), 0, rgb.data(), 0, nullptr) == 0)
      throw std::runtime_error("rondo: can't write '" + path + "': " + image.message);
    rename_file(part, path);
  }

  file_contents read(const system_file& f) const override {
    throw std::runtime_error(
      "rondo: can't read '" + f.path() + "': a picture has no values; write .vti as well");
  }
};

} // namespace

const file_format& png_format() {
  static const png only;
  return only;
}

} // namespace rondo::detail::inline distributed
