// Images of VTK: a header in XML, and behind it the values as they are in memory.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "appended.hpp"

namespace rondo::detail::inline distributed {

namespace {

constexpr std::uint64_t most_header = std::uint64_t{1} << 20U;

std::string unescaped(std::string_view text) {
  constexpr std::pair<std::string_view, char> all[] = {
    {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string made;
  while(!text.empty()) {
    char c = text.front();
    std::size_t length = 1;
    for(const auto& [from, to] : all)
      if(text.starts_with(from)) {
        c = to;
        length = from.size();
      }
    made += c;
    text.remove_prefix(length);
  }
  return made;
}

/// What is between the quotes behind ` name=`; empty if there is none.
std::string_view attribute(std::string_view element, std::string_view name) {
  for(std::size_t at = element.find(name); at != element.npos; at = element.find(name, at + 1)) {
    const std::size_t value = at + name.size();
    if(at == 0 || element[at - 1] != ' ' || !element.substr(value).starts_with("=\""))
      continue;
    const std::size_t end = element.find('"', value + 2);
    return element.substr(value + 2, end == element.npos ? 0 : end - value - 2);
  }
  return {};
}

template<class T, std::size_t N>
bool numbers_in(std::string_view text, std::array<T, N>& all) {
  for(T& x : all) {
    while(!text.empty() && (text.front() == ' ' || text.front() == '\n'))
      text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if(error != std::errc())
      return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return true;
}

class vti final : public appended_format {
public:
  file_contents read(const system_file& f) const override {
    std::string text(std::min(f.size(), most_header), '\0');
    f.read(std::as_writable_bytes(std::span(text)), 0);
    const std::string_view all(text);
    const auto refuse = [&f](const std::string& why) {
      throw std::runtime_error("rondo: can't read '" + f.path() + "': " + why);
    };
    const std::size_t data = all.find("<AppendedData");
    const std::size_t begin = data == all.npos ? data : all.find('_', data);
    const std::string_view head = all.substr(0, data);
    if(head.find("<VTKFile") == head.npos || attribute(head, "type") != "ImageData")
      refuse("it is no image of VTK");
    if(begin == all.npos || attribute(all.substr(data), "encoding") != "raw" ||
       attribute(head, "header_type") != "UInt64" || !attribute(head, "compressor").empty())
      refuse("its values are not appended as they are (encoding=\"raw\", header_type=\"UInt64\", "
             "not compressed), or it is cut off in front of them");
    if(attribute(head, "byte_order") != byte_order_in_xml)
      refuse("its bytes are in another order than this machine's");
    file_contents c;
    std::array<std::int64_t, 6> extent{};
    if(!numbers_in(attribute(head, "WholeExtent"), extent))
      refuse("it has no WholeExtent");
    for(std::size_t a = 0; a != 3; ++a)
      c.extents[a] = extent[2 * a + 1] - extent[2 * a] + 1;
    numbers_in(attribute(head, "Origin"), c.in_space.origin);
    numbers_in(attribute(head, "Spacing"), c.in_space.spacing);
    read_arrays(head, begin + 1, c);
    for(const file_contents::values& v : c.fields) {
      const std::uint64_t bytes = v.bytes();
      std::uint64_t there = 0;
      f.read(std::as_writable_bytes(std::span(&there, 1)), v.offset - sizeof there);
      if(there != bytes || v.offset + bytes > f.size())
        refuse("the values of '" + v.name + "' are not all there");
    }
    return c;
  }

private:
  [[nodiscard]] std::string description(
    const file_contents& c, std::uint64_t begin) const override {
    std::ostringstream out;
    out.precision(17);
    const auto extent = [&] {
      for(std::size_t a = 0; a != 3; ++a)
        out << (a == 0 ? "0 " : " 0 ") << c.extents[a] - 1;
    };
    const auto triple = [&](const std::array<double, 3>& x) {
      out << x[0] << ' ' << x[1] << ' ' << x[2];
    };
    out << begin_of_xml("ImageData") << "<ImageData WholeExtent=\"";
    extent();
    out << "\" Origin=\"";
    triple(c.in_space.origin);
    out << "\" Spacing=\"";
    triple(c.in_space.spacing);
    out << "\">\n<FieldData>\n" << time_in_xml(c);
    for(const file_contents::values& f : c.fields)
      if(!f.is_of_mesh())
        out << array_in_xml(f, begin, true);
    out << "</FieldData>\n";
    out << "<Piece Extent=\"";
    extent();
    out << "\">\n<PointData>\n";
    for(const file_contents::values& f : c.fields)
      if(f.is_of_mesh())
        out << array_in_xml(f, begin, false);
    out << "</PointData>\n</Piece>\n</ImageData>\n";
    return out.str();
  }

  static void read_arrays(std::string_view head, std::uint64_t begin, file_contents& c) {
    const std::size_t of_points = head.find("<PointData");
    constexpr std::string_view array = "<DataArray";
    for(std::size_t at = head.find(array); at != head.npos; at = head.find(array, at + 1)) {
      const std::size_t end = head.find('>', at);
      const std::string_view element = head.substr(at, end == head.npos ? end : end - at);
      const std::string name = unescaped(attribute(element, "Name"));
      if(name == "TimeValue" && at < of_points && end != head.npos) {
        std::array<double, 1> time{};
        if(numbers_in(head.substr(end + 1), time))
          c.time = time[0];
        continue;
      }
      file_contents::values v{name, {}, 0};
      std::array<std::uint64_t, 1> offset{}, count{c.points()};
      std::array<std::uint32_t, 1> components{1};
      numbers_in(attribute(element, "NumberOfComponents"), components);
      if(at < of_points) {
        v.what_for = stored_for::all;
        if(!numbers_in(attribute(element, "NumberOfTuples"), count))
          continue;
      }
      if(!scalar_of_vtk(attribute(element, "type"), v.type.scalar) ||
         !numbers_in(attribute(element, "offset"), offset))
        continue;
      v.type.components = components[0];
      v.count = count[0];
      v.offset = begin + offset[0] + sizeof(std::uint64_t);
      c.fields.push_back(std::move(v));
    }
  }
};

} // namespace

const file_format& vti_format() {
  static const vti only;
  return only;
}

} // namespace rondo::detail::inline distributed
