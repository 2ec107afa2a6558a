// Clouds, as VTK has them: points, each a vertex by itself, with values.
#include <algorithm>
#include <stdexcept>

#include "appended.hpp"

namespace rondo::detail::inline distributed {

namespace {

class vtp final : public appended_format {
public:
  [[nodiscard]] bool has_clouds() const override { return true; }
  file_contents read(const system_file& f) const override {
    throw std::runtime_error("rondo: can't read '" + f.path() +
                             "': clouds are to look at; s.write(\"all.vti\", mesh, particles) "
                             "keeps what a program goes on from");
  }

private:
  [[nodiscard]] std::string description(
    const file_contents& c, std::uint64_t begin) const override {
    const auto arrays = [&](row_part part) {
      std::string all;
      for(const file_contents::values& f : c.fields)
        if(f.part == part)
          all += array_in_xml(f, begin, false);
      return all;
    };
    const std::string count = std::to_string(c.fields.empty() ? 0 : c.fields.front().count);
    return begin_of_xml("PolyData") + "<PolyData>\n<FieldData>\n" + time_in_xml(c) +
           "</FieldData>\n<Piece NumberOfPoints=\"" + count + "\" NumberOfVerts=\"" + count +
           "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData>\n" +
           arrays(row_part::values) + "</PointData>\n<Points>\n" + arrays(row_part::positions) +
           "</Points>\n<Verts>\n" + arrays(row_part::numbers) + arrays(row_part::ends) +
           "</Verts>\n</Piece>\n</PolyData>\n";
  }
};

} // namespace

const file_format& vtp_format() {
  static const vtp only;
  return only;
}

} // namespace rondo::detail::inline distributed
