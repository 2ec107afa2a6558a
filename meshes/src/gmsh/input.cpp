#include "gmsh/input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace rondo::detail::gmsh {

namespace {

/// Closed when it goes; a mapping needs no open file.
struct open_file {
  int number;
  explicit open_file(const std::string& path) : number(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~open_file() {
    if(number >= 0)
      close(number);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
};

} // namespace

input::input(const std::string& path, const char* reader) : path_(path), reader_(reader) {
  const auto fail_with = [&](int error) { fail(std::generic_category().message(error)); };
  const open_file file(path);
  if(file.number < 0)
    fail_with(errno);
  struct stat about {};
  if(fstat(file.number, &about) != 0)
    fail_with(errno);
  if(!S_ISREG(about.st_mode))
    fail("is no file with data");
  if(about.st_size == 0)
    fail("is empty");
  size_ = static_cast<std::size_t>(about.st_size);
  void* const mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number, 0);
  if(mapped == MAP_FAILED)
    fail_with(errno);
  bytes_ = static_cast<const char*>(mapped);
}

input::~input() {
  if(bytes_ != nullptr)
    munmap(const_cast<char*>(bytes_), size_);
}

void input::fail(const char* at, const std::string& what) const {
  const std::string place = is_binary_ ? "byte " + std::to_string(at - bytes_)
                                       : "line " + std::to_string(1 + std::count(bytes_, at, '\n'));
  throw std::runtime_error(reader_ + (": " + path_) + ", " + place + ": " + what);
}

void input::fail(const std::string& what) const {
  throw std::runtime_error(reader_ + (": " + path_) + ": " + what);
}

std::string input::word(const char* at) const {
  constexpr std::size_t longest = 30;
  std::string said(1, '\'');
  for(; at != end() && *at > ' ' && *at <= '~' && said.size() <= longest; ++at)
    said += *at;
  return said.append(1, '\'');
}

} // namespace rondo::detail::gmsh
