#pragma once

/// \file
/// The engine behind `sort`: a range is cut in two by a predicate, also by several workers.
///
/// Everything is done by swapping, so that a predicate that throws leaves all elements there,
/// in some order.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/loop.hpp>

namespace rondo::detail::inline core {

template<class I>
inline constexpr bool swaps_cheaply =
  std::contiguous_iterator<I> && std::is_trivially_copyable_v<std::iter_value_t<I>> &&
  sizeof(std::iter_value_t<I>) <= 16;

/// Moves the elements that `before` accepts to the front, and returns the end of them.
template<std::random_access_iterator I, class Before>
I serial_partition(I first, I last, Before before) {
  if constexpr(swaps_cheaply<I>) {
    // Without a branch that depends on the data: a guess costs more than a needless swap.
    I border = first;
    for(I i = first; i != last; ++i) {
      const bool front = before(*i);
      std::iter_value_t<I> held = *i;
      *i = *border;
      *border = held;
      border += front ? 1 : 0;
    }
    return border;
  }
  else {
    return std::partition(first, last, before);
  }
}

/// The same by several workers: each partitions a strip; then it is known where the border is, and
/// what lies on the wrong side of it is swapped pairwise.
template<std::random_access_iterator I, class Before>
I parallel_partition(I first, I last, std::size_t strips, Before before) {
  struct strip {
    std::size_t begin, border, end;
  };
  const std::size_t n = length(first, last);
  const auto all = std::make_unique<strip[]>(strips);
  run_loop(strips, static_chunks(), [&](std::size_t from, std::size_t to) {
    for(std::size_t i = from; i != to; ++i) {
      const std::size_t begin = part_begin(i, n, strips), end = part_begin(i + 1, n, strips);
      const I border = serial_partition(advanced(first, begin), advanced(first, end), before);
      all[i] = {begin, length(first, border), end};
    }
  });

  std::size_t border = 0;
  for(std::size_t i = 0; i != strips; ++i)
    border += all[i].border - all[i].begin;
  // Of each strip, what is on the wrong side: [too_early, ...) shall go behind the border, and
  // [too_late, ...) before it.
  const auto too_early = [&](const strip& s) {
    return std::pair(s.border, std::max(s.border, std::min(s.end, border)));
  };
  const auto too_late = [&](const strip& s) {
    return std::pair(std::min(s.border, std::max(s.begin, border)), s.border);
  };
  std::size_t misplaced = 0;
  for(std::size_t i = 0; i != strips; ++i) {
    const auto [begin, end] = too_early(all[i]);
    misplaced += end - begin;
  }
  // Walks through all intervals of one kind as if they were one.
  const auto walk = [&](auto interval, std::size_t at, std::size_t count, auto&& visit) {
    for(std::size_t i = 0; count != 0; ++i) {
      const auto [begin, end] = interval(all[i]);
      const std::size_t size = end - begin;
      if(at >= size) {
        at -= size;
        continue;
      }
      const std::size_t here = std::min(count, size - at);
      visit(begin + at, here);
      at = 0;
      count -= here;
    }
  };
  run_loop(misplaced, static_chunks(), [&](std::size_t from, std::size_t to) {
    std::size_t done = from;
    walk(too_early, from, to - from, [&](std::size_t early, std::size_t earlies) {
      walk(too_late, done, earlies, [&](std::size_t late, std::size_t lates) {
        std::swap_ranges(
          advanced(first, early), advanced(first, early + lates), advanced(first, late));
        early += lates;
      });
      done += earlies;
    });
  });
  return advanced(first, border);
}

} // namespace rondo::detail::inline core
