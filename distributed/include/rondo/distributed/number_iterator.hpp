#pragma once

/// \file
/// The iterators of ranges of numbers that follow each other, and of what is made from such a number.

#include <compare>
#include <cstdint>
#include <iterator>

namespace rondo::detail::inline distributed {

/// Refers to T(0), T(1), ...
template<class T>
class number_iterator {
public:
  using iterator_concept = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::int64_t;

  constexpr number_iterator() = default;
  constexpr explicit number_iterator(std::int64_t at) : at_(at) {}
  constexpr T operator*() const { return T(at_); }
  constexpr T operator[](std::int64_t n) const { return T(at_ + n); }
  constexpr number_iterator& operator++() {
    ++at_;
    return *this;
  }
  constexpr number_iterator& operator--() {
    --at_;
    return *this;
  }
  constexpr number_iterator operator++(int) { return number_iterator(at_++); }
  constexpr number_iterator operator--(int) { return number_iterator(at_--); }
  constexpr number_iterator& operator+=(std::int64_t n) {
    at_ += n;
    return *this;
  }
  constexpr number_iterator& operator-=(std::int64_t n) { return *this += -n; }
  friend constexpr number_iterator operator+(const number_iterator& i, std::int64_t n) {
    return number_iterator(i.at_ + n);
  }
  friend constexpr number_iterator operator+(std::int64_t n, const number_iterator& i) {
    return i + n;
  }
  friend constexpr number_iterator operator-(const number_iterator& i, std::int64_t n) {
    return i + -n;
  }
  friend constexpr std::int64_t operator-(const number_iterator& a, const number_iterator& b) {
    return a.at_ - b.at_;
  }
  friend constexpr auto operator<=>(const number_iterator&, const number_iterator&) = default;

private:
  std::int64_t at_ = 0;
};

} // namespace rondo::detail::inline distributed
