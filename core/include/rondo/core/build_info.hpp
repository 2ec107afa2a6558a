#pragma once

#include <string_view>

namespace rondo {

/// How the library in use was compiled. Measurements of an unoptimized or sanitized build say
/// nothing, and nothing in a program's output gives that away.
struct build_info {
  std::string_view version;
  std::string_view compiler;
  std::string_view build_type; ///< CMake's; may be empty
  bool optimized;
  bool assertions;            ///< assert() is compiled in
  std::string_view sanitizer; ///< "address", "thread", or empty
};

build_info library_build() noexcept;

} // namespace rondo
