#pragma once

/// \file
/// The row of an element in a ragged field, for a task that may change it: used like a std::vector.
///
/// \code
///   auto row = hits(c);          // field<ragged<hit>>::accessor<rw> hits
///   row.push_back({time, energy});
///   for(hit& h : row)
///     h.energy *= 0.5;
///   row.erase_if([](const hit& h) { return h.energy < 1; });
/// \endcode
///
/// It is a handle: copies are of the same row. What points into a row - iterators, pointers, spans - does so until a row of
/// the same color gets another length, this one or another.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>

#include <rondo/distributed/row_store.hpp>

namespace rondo {

namespace detail::inline distributed {

// Not std::ranges::forward_range: <ranges> takes compilers long.
template<class V>
concept values_for_row = requires(const V& values) {
  { std::begin(values) } -> std::forward_iterator;
  std::end(values);
};

} // namespace detail::inline distributed

template<class T>
class ragged_row {
public:
  using value_type = T;
  using iterator = T*;

  ragged_row(detail::row_store& rows, std::int64_t place) : rows_(&rows), place_(place) {}

  [[nodiscard]] std::size_t size() const { return values().size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] T* data() const { return values().data(); }
  [[nodiscard]] T* begin() const { return data(); }
  [[nodiscard]] T* end() const { return data() + size(); }
  T& operator[](std::size_t k) const { return data()[k]; }
  [[nodiscard]] T& front() const { return *begin(); }
  [[nodiscard]] T& back() const { return end()[-1]; }
  operator std::span<T>() const { return values(); }
  operator std::span<const T>() const { return values(); }

  void clear() const { rows_->resize(place_, 0); }
  /// New ones are `value`.
  void resize(std::size_t size, const T& value = T()) const {
    const std::size_t before = this->size();
    const T kept = value; // it may be one of these
    T* const first = changed(size);
    for(std::size_t k = before; k < size; ++k)
      first[k] = kept;
  }
  void push_back(const T& value) const { resize(size() + 1, value); }
  void pop_back() const { rows_->resize(place_, size() - 1); }
  void assign(std::size_t size, const T& value) const {
    const T kept = value;
    T* const first = changed(size);
    for(std::size_t k = 0; k != size; ++k)
      first[k] = kept;
  }
  /// Values of no row of this color.
  template<detail::values_for_row Values>
  void assign(const Values& values) const {
    const auto first = std::begin(values);
    const auto last = std::end(values);
    T* into = changed(static_cast<std::size_t>(std::ranges::distance(first, last)));
    for(auto from = first; from != last; ++from)
      *into++ = *from;
  }
  void assign(std::initializer_list<T> values) const { assign(std::span(values)); }
  /// In front of the one that is there. Returns where it is now.
  T* insert(const T* before, const T& value) const {
    const std::ptrdiff_t at = before - begin();
    const T kept = value;
    push_back(kept);
    T* const place = begin() + at;
    for(T* last = end() - 1; last != place; --last)
      *last = last[-1];
    *place = kept;
    return place;
  }
  /// The others stay in their order. Returns where the next one is now.
  T* erase(const T* which) const { return erase(which, which + 1); }
  T* erase(const T* first, const T* last) const {
    const std::ptrdiff_t at = first - begin();
    T* end_of_kept = begin() + at;
    for(const T* rest = last; rest != end(); ++rest)
      *end_of_kept++ = *rest;
    rows_->resize(place_, static_cast<std::size_t>(end_of_kept - begin()));
    return begin() + at;
  }
  /// All of which that is true. Returns how many.
  template<class Predicate>
  std::size_t erase_if(Predicate is_erased) const {
    const std::size_t before = size();
    T* end_of_kept = begin();
    for(T& value : *this)
      if(!is_erased(value))
        *end_of_kept++ = value;
    rows_->resize(place_, static_cast<std::size_t>(end_of_kept - begin()));
    return before - size();
  }

private:
  [[nodiscard]] std::span<T> values() const {
    if(rows_->ends()[place_] == detail::row_store::is_ghost) {
      const auto& ghost = rows_->ghost(place_);
      return {reinterpret_cast<T*>(const_cast<std::byte*>(ghost.values)), ghost.size};
    }
    // Not by row(): the size of a T is known here.
    return {
      reinterpret_cast<T*>(rows_->values()) + rows_->begins()[place_], rows_->size_of(place_)};
  }
  T* changed(std::size_t size) const { return reinterpret_cast<T*>(rows_->resize(place_, size)); }

  detail::row_store* rows_;
  std::int64_t place_;
};

} // namespace rondo
