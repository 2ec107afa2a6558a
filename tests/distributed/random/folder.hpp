#pragma once

/// \file
/// Where random programs write.

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace random_programs {

/// A directory of its own, in memory where there is such a place, which goes with the object.
class folder {
public:
  folder() {
    for(const std::filesystem::path& in : {std::filesystem::path("/dev/shm"), temporary()}) {
      std::string name = (in / "rondo-random-XXXXXX").string();
      if(mkdtemp(name.data()) != nullptr) {
        path_ = name;
        return;
      }
    }
    throw std::runtime_error("random programs: there is no place for files");
  }
  ~folder() { remove(path_); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Also for those who only know its name.
  static void remove(const std::string& path) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

private:
  static std::filesystem::path temporary() {
    std::error_code ignored;
    return std::filesystem::temp_directory_path(ignored);
  }

  std::string path_;
};

} // namespace random_programs
