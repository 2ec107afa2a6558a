#pragma once

/// \file
/// Numbers of a text, one word after the other; which line a number is on means nothing to Gmsh either.
///
/// It has the functions of binary_cursor: a text makes no difference between an `int` and a `size_t`.

#include <charconv>
#include <cmath>

#include "gmsh/cursor.hpp"

namespace rondo::detail::gmsh {

class text_cursor : public cursor {
public:
  static constexpr bool is_binary = false;
  using cursor::cursor;

  /// Goes on to the next word.
  const char* next() {
    if(!skip_blanks())
      fail_at_end();
    return at_;
  }

  std::int64_t integer() {
    const char* const word = next();
    const bool is_negative = *at_ == '-';
    at_ += is_negative || *at_ == '+';
    const char* const digits = at_;
    std::int64_t value = 0;
    for(; at_ != file_->end() && !is_blank(*at_); ++at_) {
      const unsigned digit = static_cast<unsigned char>(*at_) - unsigned{'0'};
      if(digit > 9)
        fail_expecting("an integer", word);
      value = value * 10 + digit;
      if(value > largest_number)
        file_->fail(word, file_->word(word) + " is too large a number");
    }
    if(at_ == digits)
      fail_expecting("an integer", word);
    return is_negative ? -value : value;
  }

  std::int64_t size() {
    const char* const word = next();
    const std::int64_t value = integer();
    if(value < 0)
      file_->fail(word, file_->word(word) + " should not be negative");
    return value;
  }

  double real() {
    const char* const word = next();
    double value = 0;
    const char* const number = *word == '+' ? word + 1 : word;
    const auto [end, error] = std::from_chars(number, file_->end(), value);
    if(error != std::errc{} || (end != file_->end() && !is_blank(*end)) || !std::isfinite(value))
      fail_expecting("a coordinate", word);
    at_ = end;
    return value;
  }

  /// Of what is skipped it is only seen that the section has not ended.
  void skip_reals(std::int64_t n) {
    const char* const end = file_->end();
    for(; n > 0; --n) {
      if(*next() == '$')
        fail_expecting("a number", at_);
      do
        ++at_;
      while(at_ != end && !is_blank(*at_));
    }
  }
  void skip_integers(std::int64_t n) { skip_reals(n); }
  void skip_sizes(std::int64_t n) { skip_reals(n); }

private:
  [[noreturn]] void fail_expecting(const char* what, const char* word) const {
    file_->fail(word, what + (" should be here, and there is " + file_->word(word)) +
                        (*word == '$' ? ": a count is wrong" : ""));
  }
};

} // namespace rondo::detail::gmsh
