#pragma once

/// \file
/// Files that a test writes, and reads again.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

/// A file with these bytes, which goes with it.
class file_of_test {
public:
  explicit file_of_test(const std::string& bytes) {
    std::string name = (std::filesystem::temp_directory_path() / "rondo-test-XXXXXX").string();
    const int file = mkstemp(name.data());
    REQUIRE(file >= 0);
    close(file);
    name_ = name;
    write(bytes);
  }
  ~file_of_test() { std::filesystem::remove(name_); }
  file_of_test(const file_of_test&) = delete;
  file_of_test& operator=(const file_of_test&) = delete;

  void write(const std::string& bytes) const {
    std::ofstream out(name_, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  [[nodiscard]] const std::string& name() const { return name_; }

private:
  std::string name_;
};
