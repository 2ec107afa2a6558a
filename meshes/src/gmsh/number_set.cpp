#include "gmsh/number_set.hpp"

#include <algorithm>
#include <bit>

namespace rondo::detail::gmsh {

number_set::number_set(std::span<const std::int64_t> numbers) {
  if(numbers.empty())
    return;
  const auto [smallest, largest] = std::ranges::minmax(numbers);
  smallest_ = smallest;
  largest_ = largest;
  const auto words = static_cast<std::size_t>(largest - smallest) / 64 + 1;
  if(words > numbers.size()) {
    list_.assign(numbers.begin(), numbers.end());
    std::ranges::sort(list_);
    list_.erase(std::ranges::unique(list_).begin(), list_.end());
    size_ = list_.size();
    return;
  }
  words_.resize(words);
  for(const std::int64_t number : numbers) {
    const auto bit = static_cast<std::size_t>(number - smallest_);
    words_[bit / 64].bits |= std::uint64_t{1} << bit % 64;
  }
  for(word& w : words_) {
    w.before = size_;
    size_ += static_cast<std::size_t>(std::popcount(w.bits));
  }
}

std::size_t number_set::index_in_list(std::int64_t number) const {
  const auto at = std::ranges::lower_bound(list_, number);
  return at != list_.end() && *at == number ? static_cast<std::size_t>(at - list_.begin()) : none;
}

std::size_t number_set::index_of_bit(std::int64_t number) const {
  const auto bit = static_cast<std::size_t>(number - smallest_);
  const word& w = words_[bit / 64];
  const std::uint64_t its_bit = std::uint64_t{1} << bit % 64;
  if((w.bits & its_bit) == 0)
    return none;
  return w.before + static_cast<std::size_t>(std::popcount(w.bits & (its_bit - 1)));
}

std::vector<std::int64_t> number_set::sorted() const {
  if(words_.empty())
    return list_;
  std::vector<std::int64_t> numbers;
  numbers.reserve(size_);
  for(std::size_t i = 0; i != words_.size(); ++i)
    for(std::uint64_t bits = words_[i].bits; bits != 0; bits &= bits - 1)
      numbers.push_back(smallest_ + static_cast<std::int64_t>(i * 64) + std::countr_zero(bits));
  return numbers;
}

} // namespace rondo::detail::gmsh
