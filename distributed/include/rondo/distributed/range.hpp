#pragma once

/// \file
/// Ranges of coordinates, to loop over.

#include <cstdint>
#include <iterator>

#include <rondo/core/two_numbers.hpp>
#include <rondo/distributed/number_iterator.hpp>

namespace rondo {

/// first, first + step, ... below last.
class strided_range {
public:
  class iterator {
  public:
    constexpr iterator(std::int64_t at, std::int64_t step) : at_(at), step_(step) {}
    constexpr std::int64_t operator*() const { return at_; }
    constexpr iterator& operator++() {
      at_ += step_;
      return *this;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) {
      return a.at_ == b.at_;
    }

  private:
    std::int64_t at_;
    std::int64_t step_;
  };

  constexpr strided_range(std::int64_t first, std::int64_t last, std::int64_t step)
      : first_(first),
        last_(first + detail::larger_of((last - first + step - 1) / step, std::int64_t{0}) * step),
        step_(step) {}
  [[nodiscard]] constexpr iterator begin() const { return {first_, step_}; }
  [[nodiscard]] constexpr iterator end() const { return {last_, step_}; }
  [[nodiscard]] constexpr std::int64_t size() const { return (last_ - first_) / step_; }
  [[nodiscard]] constexpr std::int64_t first() const { return first_; }

private:
  std::int64_t first_;
  std::int64_t last_;
  std::int64_t step_;
};

/// first, first + 1, ... below last. Its iterators are those of random access, so that algorithms run
/// over the rows of a color: `for_each(m.owned(1).begin(), m.owned(1).end(), row)`.
class index_range {
public:
  using iterator = detail::number_iterator<std::int64_t>;

  constexpr index_range(std::int64_t first, std::int64_t last)
      : first_(first), last_(detail::larger_of(first, last)) {}
  [[nodiscard]] constexpr iterator begin() const { return iterator(first_); }
  [[nodiscard]] constexpr iterator end() const { return iterator(last_); }
  [[nodiscard]] constexpr std::int64_t first() const { return first_; }
  [[nodiscard]] constexpr std::int64_t last() const { return last_; }
  [[nodiscard]] constexpr std::int64_t size() const { return last_ - first_; }
  [[nodiscard]] constexpr bool empty() const { return first_ == last_; }
  /// What is in both.
  [[nodiscard]] constexpr index_range cut(const index_range& other) const {
    return {detail::larger_of(first_, other.first_), detail::smaller_of(last_, other.last_)};
  }

private:
  std::int64_t first_;
  std::int64_t last_;
};

static_assert(std::random_access_iterator<index_range::iterator>);

} // namespace rondo
