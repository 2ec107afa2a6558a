#pragma once

/// \file
/// A file of the system, whose errors are exceptions with the file's name and the reason.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rondo::detail::inline distributed {

class system_file {
public:
  enum class mode : unsigned char {
    read,
    write,  ///< One that is there.
    create, ///< Empty, whatever was there before.
  };

  system_file() = default;
  system_file(std::string path, mode m);
  ~system_file();
  system_file(system_file&& other) noexcept;
  system_file& operator=(system_file&& other) noexcept;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const;

  void write(std::span<const std::byte> bytes, std::uint64_t at) const;
  void write(std::string_view text, std::uint64_t at) const;
  void read(std::span<std::byte> into, std::uint64_t at) const;
  /// Makes room for so many bytes on the disk, if the file system can; else it has that size.
  void reserve(std::uint64_t bytes) const;
  /// All is on the disk, and closed.
  void finish();

private:
  [[noreturn]] void fail(const char* what, int error) const;

  std::string path_;
  int descriptor_ = -1;
};

/// Throws like `system_file`. What was there has gone.
void rename_file(const std::string& from, const std::string& to);
void remove_file(const std::string& path) noexcept;
/// Of a file: the directory that it is in, and those around that.
void make_directory_of(const std::string& path);
/// A small file, complete or as before.
void replace_file(const std::string& path, std::string_view text);

} // namespace rondo::detail::inline distributed
