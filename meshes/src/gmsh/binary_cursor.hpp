#pragma once

/// \file
/// Numbers of a binary file: an `int` has 4 bytes, a `size_t` and a coordinate 8.

#include <cmath>
#include <cstring>

#include "gmsh/cursor.hpp"

namespace rondo::detail::gmsh {

class binary_cursor : public cursor {
public:
  static constexpr bool is_binary = true;
  using cursor::cursor;

  /// Where the next number is.
  const char* next() const { return at_; }

  std::int64_t integer() { return number<std::int32_t>(); }

  std::int64_t size() {
    const char* const here = at_;
    const auto value = number<std::uint64_t>();
    if(value > std::uint64_t{largest_number})
      file_->fail(here, std::to_string(value) + " is too large a number");
    return static_cast<std::int64_t>(value);
  }

  double real() {
    const char* const here = at_;
    const auto value = number<double>();
    if(!std::isfinite(value))
      file_->fail(here, "a coordinate is no finite number");
    return value;
  }

  void skip_integers(std::int64_t n) { skip(n, sizeof(std::int32_t)); }
  void skip_sizes(std::int64_t n) { skip(n, sizeof(std::uint64_t)); }
  void skip_reals(std::int64_t n) { skip(n, sizeof(double)); }

private:
  template<class T>
  T number() {
    if(bytes_left() < sizeof(T))
      fail_at_end();
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  /// `n` is not to be trusted.
  void skip(std::int64_t n, std::size_t bytes_each) {
    if(static_cast<std::size_t>(n) > bytes_left() / bytes_each)
      fail_at_end();
    at_ += static_cast<std::size_t>(n) * bytes_each;
  }
};

} // namespace rondo::detail::gmsh
