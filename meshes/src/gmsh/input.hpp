#pragma once

/// \file
/// The bytes of a file of Gmsh, or of another one that is read as a whole, and mistakes in them.

#include <cstddef>
#include <string>
#include <string_view>

namespace rondo::detail::gmsh {

/// The whole file, mapped: what is not looked at is not read. Somebody who makes the file shorter meanwhile ends the program, as with
/// every mapped file.
class input {
public:
  /// `reader` is what messages begin with.
  explicit input(const std::string& path, const char* reader = "rondo::gmsh_file");
  ~input();
  input(const input&) = delete;
  input& operator=(const input&) = delete;

  [[nodiscard]] const char* begin() const { return bytes_; }
  [[nodiscard]] const char* end() const { return bytes_ + size_; }

  /// From now on places are bytes, and no lines.
  void is_binary() { is_binary_ = true; }

  /// Throws. `at` may be the end.
  [[noreturn]] void fail(const char* at, const std::string& what) const;
  /// Of the file as a whole.
  [[noreturn]] void fail(const std::string& what) const;

  /// What is there, in quotes and not too long: for messages.
  [[nodiscard]] std::string word(const char* at) const;

private:
  std::string path_;
  const char* reader_;
  const char* bytes_ = nullptr;
  std::size_t size_ = 0;
  bool is_binary_ = false;
};

} // namespace rondo::detail::gmsh
