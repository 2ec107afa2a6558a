#include <rondo/observe/digest_file.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace rondo::detail::inline observe {

void begin_digest_file(const std::string& name) {
  std::FILE* const f = std::fopen(name.c_str(), "we");
  if(f == nullptr)
    throw std::runtime_error(
      "rondo: RONDO_OBSERVE: the digest can't be written to " + name + ": " + std::strerror(errno));
  std::fclose(f);
}

bool write_digest_file(const std::string& name, const std::string& text) {
  std::FILE* const f = std::fopen(name.c_str(), "we");
  bool is_written = f != nullptr && std::fwrite(text.data(), 1, text.size(), f) == text.size();
  if(f != nullptr && std::fclose(f) != 0)
    is_written = false;
  if(!is_written)
    std::fprintf(
      stderr, "rondo: the digest can't be written to %s: %s\n", name.c_str(), std::strerror(errno));
  return is_written;
}

} // namespace rondo::detail::inline observe
