#include "numbers.hpp"

#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "file.hpp"
#include "format.hpp"

namespace rondo::detail::inline distributed {

file_numbers::file_numbers(flow& f, const std::string& path, std::uint64_t every)
    : every_(every), region_(f, turn_, "files of a series") {
  if(every == 0)
    throw std::invalid_argument(
      "rondo::file_series '" + path + "': every = 0; 1 writes a file in each call");
  const std::size_t name = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  if(dot == path.npos || dot <= name)
    format_of(path); // throws
  before_ = path.substr(0, dot);
  ending_ = path.substr(dot);
  if(ending_ == ".pvd") {
    list_ = path;
    ending_ = ".vti";
  }
  format_of(any_path());
}

std::string file_numbers::path_of(std::uint64_t number) const {
  char text[32];
  std::snprintf(text, sizeof text, ".%04llu", static_cast<unsigned long long>(number));
  return before_ + text + ending_;
}

void file_numbers::count(file_turn& turn) {
  turn.is_left_out = calls_ % every_ != 0;
  turn.number = calls_ / every_;
  turn.path = path_of(turn.number);
  ++calls_;
}

void file_numbers::add_to_list(const file_turn& turn, double time) {
  if(list_.empty())
    return;
  std::ostringstream entry;
  entry.precision(17);
  entry << "<DataSet timestep=\"";
  if(time == time)
    entry << time;
  else
    entry << turn.number;
  entry << "\" part=\"0\" file=\"" << turn.path.substr(turn.path.rfind('/') + 1) << "\"/>\n";
  listed_ += entry.str();
  replace_file(list_,
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n" +
      listed_ + "</Collection>\n</VTKFile>\n");
}

} // namespace rondo::detail::inline distributed
