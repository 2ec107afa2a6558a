#pragma once

/// \file
/// A file that is written from its begin to its end; a disk that is full is noticed.

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace rondo::report {

class file_to_write {
public:
  /// Throws std::runtime_error, as the others do, with the name of the file and the reason.
  explicit file_to_write(std::string name);

  void write(std::string_view bytes);
  void close();

private:
  struct closes {
    void operator()(std::FILE* f) const noexcept { (void)std::fclose(f); }
  };

  std::string name_;
  std::unique_ptr<std::FILE, closes> file_;
};

/// Makes the folder, if it is not there. Throws std::runtime_error.
void make_folder(const std::string& name);

} // namespace rondo::report
