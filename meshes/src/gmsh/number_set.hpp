#pragma once

/// \file
/// The numbers of nodes that a part needs, looked up once for each node of the file.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo::detail::gmsh {

/// A bit for each number between the smallest and the largest one, where that takes less memory than a sorted list. Numbers of nodes are
/// close together as a rule: but not those of any part, and not in any file.
class number_set {
public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// They may be there several times.
  explicit number_set(std::span<const std::int64_t> numbers);

  [[nodiscard]] std::size_t size() const { return size_; }

  /// How many smaller ones there are; none if it is none of them.
  [[nodiscard]] std::size_t index_of(std::int64_t number) const {
    if(number < smallest_ || number > largest_)
      return none;
    return words_.empty() ? index_in_list(number) : index_of_bit(number);
  }

  /// All, in ascending order.
  [[nodiscard]] std::vector<std::int64_t> sorted() const;

private:
  struct word {
    std::uint64_t bits = 0;
    std::size_t before = 0; ///< How many bits are set in the words before.
  };

  [[nodiscard]] std::size_t index_in_list(std::int64_t number) const;
  [[nodiscard]] std::size_t index_of_bit(std::int64_t number) const;

  std::int64_t smallest_ = 1;
  std::int64_t largest_ = 0;
  std::size_t size_ = 0;
  std::vector<word> words_;
  std::vector<std::int64_t> list_; ///< Instead of the words.
};

} // namespace rondo::detail::gmsh
