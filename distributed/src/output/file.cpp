#include "file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rondo::detail::inline distributed {

namespace {
[[noreturn]] void fail_with(const std::string& path, const char* what, int error) {
  throw std::runtime_error("rondo: can't " + std::string(what) + " '" + path +
                           "': " + std::generic_category().message(error));
}
} // namespace

system_file::system_file(std::string path, mode m) : path_(std::move(path)) {
  const int flags = m == mode::read     ? O_RDONLY
                    : m == mode::create ? O_RDWR | O_CREAT | O_TRUNC
                                        : O_RDWR;
  descriptor_ = open(path_.c_str(), flags | O_CLOEXEC, 0666);
  if(descriptor_ < 0)
    fail(m == mode::read ? "read" : "write", errno);
  if(m == mode::write)
    in_place_ = open(path_.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC); // some can't
}

system_file::~system_file() {
  if(is_open())
    close(descriptor_);
  if(in_place_ >= 0)
    close(in_place_);
}

system_file::system_file(system_file&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)),
      in_place_(std::exchange(other.in_place_, -1)) {}

system_file& system_file::operator=(system_file&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(in_place_, other.in_place_);
  return *this;
}

void system_file::fail(const char* what, int error) const { fail_with(path_, what, error); }

std::uint64_t system_file::size() const {
  struct stat s {};
  if(fstat(descriptor_, &s) != 0)
    fail("read", errno);
  return static_cast<std::uint64_t>(s.st_size);
}

void system_file::write(std::span<const std::byte> bytes, std::uint64_t at) const {
  const std::size_t in_page = at % bytes_of_page;
  if(in_place_ >= 0 && bytes.size() >= least_in_place &&
     reinterpret_cast<std::uintptr_t>(bytes.data()) % bytes_of_page == in_page) {
    const std::size_t before = up_to_page(in_page) - in_page;
    const std::size_t whole = (bytes.size() - before) / bytes_of_page * bytes_of_page;
    write_by_copy(bytes.first(before), at);
    const std::size_t done = before + write_in_place(bytes.subspan(before, whole), at + before);
    bytes = bytes.subspan(done);
    at += done;
  }
  write_by_copy(bytes, at);
}

std::size_t system_file::write_in_place(std::span<const std::byte> bytes, std::uint64_t at) const {
  std::size_t done = 0;
  while(done != bytes.size()) {
    const ssize_t n =
      pwrite(in_place_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
    if(n < 0 && errno == EINTR)
      continue;
    if(n <= 0)
      break;
    done += static_cast<std::size_t>(n);
    if(static_cast<std::size_t>(n) % bytes_of_page != 0)
      break; // as at the end of a disk that is full
  }
  return done;
}

void system_file::write_by_copy(std::span<const std::byte> bytes, std::uint64_t at) const {
  while(!bytes.empty()) {
    const ssize_t n = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if(n < 0 && errno == EINTR)
      continue;
    if(n <= 0)
      fail("write", n < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
}

void system_file::write(std::string_view text, std::uint64_t at) const {
  write(std::as_bytes(std::span(text)), at);
}

void system_file::read(std::span<std::byte> into, std::uint64_t at) const {
  while(!into.empty()) {
    const ssize_t n = pread(descriptor_, into.data(), into.size(), static_cast<off_t>(at));
    if(n < 0 && errno == EINTR)
      continue;
    if(n < 0)
      fail("read", errno);
    if(n == 0)
      throw std::runtime_error("rondo: can't read '" + path_ + "': it is shorter than it says");
    into = into.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
}

void system_file::set_size(std::uint64_t bytes) const {
  if(ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
    fail("write", errno);
}

void system_file::sync() const {
  if(fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    fail("write", errno);
}

void system_file::finish() {
  if(!is_open())
    return;
  sync();
  if(in_place_ >= 0)
    close(std::exchange(in_place_, -1));
  if(close(std::exchange(descriptor_, -1)) != 0)
    fail("write", errno);
}

file_before::file_before(const std::string& path) noexcept
    : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

file_before::~file_before() {
  if(descriptor_ >= 0)
    close(descriptor_);
}

void rename_file(const std::string& from, const std::string& to) {
  if(std::rename(from.c_str(), to.c_str()) != 0)
    fail_with(to, "write", errno);
}

void remove_file(const std::string& path) noexcept { unlink(path.c_str()); }

void make_directory_of(const std::string& path) {
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  std::error_code error;
  if(!directory.empty() && !std::filesystem::create_directories(directory, error) && error)
    fail_with(directory, "make the directory", error.value());
}

void replace_file(const std::string& path, std::string_view text) {
  const std::string part = path + ".part";
  system_file f(part, system_file::mode::create);
  f.write(text, 0);
  f.finish();
  rename_file(part, path);
}

} // namespace rondo::detail::inline distributed
