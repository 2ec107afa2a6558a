#pragma once

/// \file
/// A line of a file of Matrix Market, word by word.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "../gmsh/input.hpp"

namespace rondo::detail::matrix_market {

using gmsh::input;

class line {
public:
  /// The one that begins there, before the end of the file.
  line(const input& file, const char* begin) : file_(&file), at_(begin) {
    const auto left = static_cast<std::size_t>(file.end() - begin);
    const void* const found = std::memchr(begin, '\n', left);
    end_ = found != nullptr ? static_cast<const char*>(found) : file.end();
    skip_blanks();
  }

  /// Where the next line begins, or the end of the file.
  [[nodiscard]] const char* next() const { return end_ == file_->end() ? end_ : end_ + 1; }
  /// Nothing but blanks and comments.
  [[nodiscard]] bool is_empty() const { return at_ == end_ || *at_ == '%'; }
  [[nodiscard]] const char* at() const { return at_; }

  /// The next one; empty: there is none.
  std::string_view word() {
    const char* const begin = at_;
    at_ = std::find_if(at_, end_, is_blank);
    const std::string_view its(begin, static_cast<std::size_t>(at_ - begin));
    skip_blanks();
    return its;
  }
  /// `what` it is, for messages.
  std::int64_t integer(const char* what) { return number<std::int64_t>(what); }
  double real(const char* what) {
    const char* const here = at_;
    const double value = number<double>(what);
    if(!std::isfinite(value))
      file_->fail(here, std::string(what) + " should be here, and there is " + file_->word(here));
    return value;
  }
  /// No more words are there.
  void end(const char* behind) const {
    if(at_ != end_)
      file_->fail(at_, file_->word(at_) + " is too much: " + behind);
  }

private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() { at_ = std::find_if_not(at_, end_, is_blank); }

  template<class T>
  T number(const char* what) {
    const char* const here = at_;
    const std::string_view its = word();
    if(its.empty())
      file_->fail(here, std::string(what) + " should be here, and the line ends");
    const char* const last = its.data() + its.size();
    T value{};
    const auto [end, error] = std::from_chars(its.data() + (its[0] == '+'), last, value);
    if(error == std::errc::result_out_of_range)
      file_->fail(here, file_->word(here) + " is a number that is too large, or too close to 0");
    if(error != std::errc{} || end != last)
      file_->fail(here, std::string(what) + " should be here, and there is " + file_->word(here));
    return value;
  }

  const input* file_;
  const char* at_;
  const char* end_;
};

} // namespace rondo::detail::matrix_market
