#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

/// A directory of a test, which goes with it.
class folder_of_test {
public:
  folder_of_test() {
    std::string name = (std::filesystem::temp_directory_path() / "rondo-files-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~folder_of_test() { std::filesystem::remove_all(path_); }
  folder_of_test(const folder_of_test&) = delete;
  folder_of_test& operator=(const folder_of_test&) = delete;

  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }
  [[nodiscard]] std::size_t files() const {
    using all = std::filesystem::recursive_directory_iterator;
    return static_cast<std::size_t>(std::distance(all(path_), all()));
  }

private:
  std::filesystem::path path_;
};

/// All bytes of a file.
inline std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

/// Of files of each kind that structured meshes have.
inline std::string name_of(const char* file) {
  std::string name(file);
  return name.append(GENERATE(as<std::string>{}, ".vti", ".h5"));
}
