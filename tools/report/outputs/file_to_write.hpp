#pragma once

/// \file
/// A file that is written from its begin to its end; a disk that is full is noticed.

#include <cstddef>
#include <string>
#include <string_view>

#include <rondo/observe/c_file.hpp>

namespace rondo::report {

class file_to_write {
public:
  /// Throws std::runtime_error, as the others do, with the name of the file and the reason.
  explicit file_to_write(std::string name);

  void write(std::string_view bytes);
  void close();

private:
  std::string name_;
  detail::c_file file_;
};

/// Makes the folder, if it is not there. Throws std::runtime_error.
void make_folder(const std::string& name);

} // namespace rondo::report
