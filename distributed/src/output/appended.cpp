#include "appended.hpp"

#include <bit>
#include <span>
#include <sstream>

namespace rondo::detail::inline distributed {

namespace {

std::string escaped(std::string_view text) {
  std::string all;
  for(const char c : text)
    switch(c) {
    case '&':
      all += "&amp;";
      break;
    case '<':
      all += "&lt;";
      break;
    case '>':
      all += "&gt;";
      break;
    case '"':
      all += "&quot;";
      break;
    default:
      all += c;
    }
  return all;
}

std::string header(const std::string& description) {
  return description + "<AppendedData encoding=\"raw\">\n";
}

} // namespace

const char* const byte_order_in_xml =
  std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";

std::string begin_of_xml(const char* type) {
  return std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"")
    .append(type)
    .append("\" version=\"1.0\" byte_order=\"")
    .append(byte_order_in_xml)
    .append("\" header_type=\"UInt64\">\n");
}

std::string time_in_xml(const file_contents& c) {
  if(c.time != c.time)
    return {};
  std::ostringstream out;
  out.precision(17);
  out << "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
      << c.time << "</DataArray>\n";
  return out.str();
}

std::string array_in_xml(const file_contents::values& f, std::uint64_t begin, bool has_size) {
  std::ostringstream out;
  out << "<DataArray type=\"" << name_in_vtk(f.type.scalar) << "\" Name=\"" << escaped(f.name)
      << "\" NumberOfComponents=\"" << f.type.components << "\"";
  if(has_size)
    out << " NumberOfTuples=\"" << f.count << "\"";
  out << " format=\"appended\" offset=\"" << f.offset - sizeof(std::uint64_t) - begin << "\"/>\n";
  return out.str();
}

void appended_format::create(const std::string& path, file_contents& c) const {
  // The header says where the values are, and its length, and so where they are, depends on that. So it gets room. Values begin a page.
  const std::uint64_t begin =
    up_to_page(header(description(c, 0)).size() + 32 * c.fields.size() + 64) - 9;
  std::uint64_t at = begin + 9;
  for(file_contents::values& f : c.fields) {
    f.offset = at;
    at = up_to_page(at + f.bytes() + sizeof(std::uint64_t));
  }
  const system_file file(path, system_file::mode::create);
  std::string text = header(description(c, begin + 1));
  text.resize(begin, ' ');
  text += '_';
  const std::string end = "\n</AppendedData>\n</VTKFile>\n";
  file.set_size(at + end.size());
  file.write(text, 0);
  for(const file_contents::values& f : c.fields) {
    const std::uint64_t bytes = f.bytes();
    file.write(std::as_bytes(std::span(&bytes, 1)), f.offset - sizeof bytes);
  }
  file.write(end, at);
}

} // namespace rondo::detail::inline distributed
