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
    write, ///< One that is there. Large pieces go to the disk right from where they are: see `write`.
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

  /// Large pieces whose bytes are in their page of memory where they are in that of the file are not copied by the system: it
  /// gives the disk the memory. The bytes before their first whole page and behind the last one keep it, and all do where the file system
  /// knows no other way.
  void write(std::span<const std::byte> bytes, std::uint64_t at) const;
  void write(std::string_view text, std::uint64_t at) const;
  void read(std::span<std::byte> into, std::uint64_t at) const;
  /// Bytes that are not written are zeros. There is no room for it yet (fallocate): the disk would take longer for the same bytes.
  void set_size(std::uint64_t bytes) const;
  /// All is on the disk.
  void sync() const;
  /// All is on the disk, and closed.
  void finish();

private:
  [[noreturn]] void fail(const char* what, int error) const;
  /// By the way of all files.
  void write_by_copy(std::span<const std::byte> bytes, std::uint64_t at) const;
  /// Whole pages, right from where they are. Returns how many bytes were written; the rest goes the other way, which says why.
  [[nodiscard]] std::size_t write_in_place(
    std::span<const std::byte> bytes, std::uint64_t at) const;

  std::string path_;
  int descriptor_ = -1;
  int in_place_ = -1; ///< Of the same file, if it can be written in place.
};

/// What the file system and the disk work with.
inline constexpr std::size_t bytes_of_page = 4096;
/// Smaller pieces are better collected by the system.
inline constexpr std::size_t least_in_place = std::size_t{1} << 18U;
constexpr std::size_t up_to_page(std::size_t bytes) {
  return (bytes + bytes_of_page - 1) / bytes_of_page * bytes_of_page;
}

/// Has a file that may be replaced. The system takes a file's room back when its name has gone and nobody has it open any more, and
/// the last one to close it waits for that: as long as half of what it takes to write one. With this it is the thread
/// that ends this object.
class file_before {
public:
  explicit file_before(const std::string& path) noexcept;
  ~file_before();
  file_before(const file_before&) = delete;
  file_before& operator=(const file_before&) = delete;

private:
  int descriptor_;
};

/// Throws like `system_file`. An older file has gone.
void rename_file(const std::string& from, const std::string& to);
void remove_file(const std::string& path) noexcept;
/// Of a file: the directory that it is in, and those around that.
void make_directory_of(const std::string& path);
/// A small file, complete or as before.
void replace_file(const std::string& path, std::string_view text);

} // namespace rondo::detail::inline distributed
