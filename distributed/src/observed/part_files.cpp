#include "part_files.hpp"

#include <filesystem>
#include <system_error>

namespace rondo::detail::inline distributed {

std::string name_of_part(const std::string& whole, unsigned rank, unsigned ranks) {
  return ranks == 1 ? whole : whole + ".rank-" + std::to_string(rank);
}

void remove_parts(const std::string& whole) {
  const std::filesystem::path file(whole);
  const std::string begin = file.filename().string() + ".rank-";
  const std::filesystem::path folder =
    file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  std::error_code failed;
  for(const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if(entry.path().filename().string().starts_with(begin))
      std::filesystem::remove(entry.path(), failed);
}

} // namespace rondo::detail::inline distributed
