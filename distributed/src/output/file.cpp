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
}

system_file::~system_file() {
  if(is_open())
    close(descriptor_);
}

system_file::system_file(system_file&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

system_file& system_file::operator=(system_file&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
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

void system_file::reserve(std::uint64_t bytes) const {
  const auto size = static_cast<off_t>(bytes);
  int error = 0;
  do
    error = fallocate(descriptor_, 0, 0, size) == 0 ? 0 : errno;
  while(error == EINTR);
  if(error == EOPNOTSUPP || error == ENOSYS)
    error = ftruncate(descriptor_, size) == 0 ? 0 : errno;
  if(error != 0)
    fail("write", error);
}

void system_file::finish() {
  if(!is_open())
    return;
  if(fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    fail("write", errno);
  if(close(std::exchange(descriptor_, -1)) != 0)
    fail("write", errno);
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
