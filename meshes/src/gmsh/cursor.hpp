#pragma once

/// \file
/// Where a Gmsh file is being read: what texts and binary files have in common.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gmsh/input.hpp"

namespace rondo::detail::gmsh {

/// Nodes, elements and counts have no larger numbers: larger ones are damage, and might be taken for others once they are computed with.
inline constexpr std::int64_t largest_number = std::int64_t{1} << 53;

class cursor {
public:
  cursor(const input& file, const char* at) : file_(&file), at_(at) {}

  [[nodiscard]] const char* at() const { return at_; }
  void go_to(const char* at) { at_ = at; }
  [[nodiscard]] std::size_t bytes_left() const {
    return static_cast<std::size_t>(file_->end() - at_);
  }

  /// The rest of the line, without blanks around it; goes on to the next one.
  std::string_view line();

  /// Whether there is more than blanks; goes on to what there is.
  bool skip_blanks() {
    while(at_ != file_->end() && is_blank(*at_))
      ++at_;
    return at_ != file_->end();
  }

  /// Goes on behind `$EndNodes`, which has to be here.
  void end_of_section(std::string_view name);

  [[nodiscard]] const input& file() const { return *file_; }
  [[noreturn]] void fail(const std::string& what) const { file_->fail(at_, what); }
  [[noreturn]] void fail_at_end() const {
    file_->fail(file_->end(), "the file ends too early: it has been cut off, or a count is wrong");
  }

protected:
  /// No other control characters: small numbers in a binary file consist of these.
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  const input* file_;
  const char* at_;
};

} // namespace rondo::detail::gmsh
