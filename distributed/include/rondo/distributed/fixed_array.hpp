#pragma once

/// \file
/// Objects that stay where they are, one behind the other: their number is known before they are made.

#include <cstddef>
#include <memory>
#include <utility>

namespace rondo::detail::inline distributed {

/// As a vector, of objects that can't be moved. To get at one takes no more than in an array.
template<class T>
class fixed_array {
public:
  fixed_array() = default;
  ~fixed_array() { clear(); }
  fixed_array(const fixed_array&) = delete;
  fixed_array& operator=(const fixed_array&) = delete;

  /// There are none any more, nor room.
  void clear() {
    while(size_ != 0)
      std::destroy_at(first_ + --size_);
    if(first_ != nullptr)
      std::allocator<T>().deallocate(std::exchange(first_, nullptr), capacity_);
  }
  /// Room for so many; once, while there are none.
  void reserve(std::size_t most) {
    if(most == 0)
      return;
    first_ = std::allocator<T>().allocate(most);
    capacity_ = most;
  }
  template<class... A>
  T& emplace_back(A&&... arguments) {
    T& made = *std::construct_at(first_ + size_, std::forward<A>(arguments)...);
    ++size_;
    return made;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) const { return first_[i]; }

private:
  T* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

} // namespace rondo::detail::inline distributed
