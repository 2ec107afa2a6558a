#include "numbers.hpp"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "file.hpp"
#include "format.hpp"

namespace rondo::detail::inline distributed {

namespace {
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }
} // namespace

file_numbers::file_numbers(flow& f, const std::string& path, std::uint64_t every,
  std::uint64_t calls, const std::string& listed)
    : every_(every), calls_(calls), region_(f, turn_, "files of a series") {
  if(every == 0)
    throw std::invalid_argument(
      "rondo::file_series '" + path + "': every = 0; 1 writes a file in each call");
  const std::size_t name = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  if(dot == path.npos || dot <= name)
    throw std::invalid_argument("rondo::file_series '" + path +
                                "': how the name ends says what the files are: .pvd for a list of "
                                ".vti files, or .vti, .vtkhdf, .h5, .png, .vtp");
  before_ = path.substr(0, dot);
  ending_ = path.substr(dot);
  if(ending_ == ".pvd") {
    list_ = path;
    ending_ = listed;
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

std::optional<std::uint64_t> file_numbers::number_in(std::string_view name) const {
  const std::string before = name_of(before_) + ".";
  if(!name.starts_with(before) || !name.ends_with(ending_) ||
     name.size() <= before.size() + ending_.size())
    return {};
  name.remove_prefix(before.size());
  name.remove_suffix(ending_.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if(error != std::errc() || end != name.data() + name.size())
    return {};
  return number;
}

void file_numbers::take_up() {
  namespace fs = std::filesystem;
  const std::uint64_t kept = (calls_ + every_ - 1) / every_;
  if(!list_.empty()) {
    std::ifstream old(list_);
    constexpr std::string_view file = "file=\"";
    for(std::string line; std::getline(old, line);) {
      const std::size_t at = line.find(file);
      if(!line.starts_with("<DataSet") || at == line.npos)
        continue;
      const std::string_view rest = std::string_view(line).substr(at + file.size());
      const auto number = number_in(rest.substr(0, rest.find('"')));
      if(number && *number < kept)
        listed_ += line + "\n";
    }
    make_directory_of(list_);
    write_list(); // before files go: what it names is there at any time
  }
  const fs::path directory = fs::path(before_).parent_path();
  std::error_code error;
  std::vector<std::string> later;
  for(const auto& e : fs::directory_iterator(directory.empty() ? "." : directory, error))
    if(const auto number = number_in(e.path().filename().string()); number && *number >= kept)
      later.push_back(e.path().string());
  for(const std::string& path : later)
    remove_file(path);
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
  entry << "\" part=\"0\" file=\"" << name_of(turn.path) << "\"/>\n";
  listed_ += entry.str();
  write_list();
}

void file_numbers::write_list() const {
  replace_file(list_,
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n" +
      listed_ + "</Collection>\n</VTKFile>\n");
}

} // namespace rondo::detail::inline distributed
