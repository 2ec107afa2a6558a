#pragma once

/// \file
/// `sort`: puts a range in order, in place.
///
/// \code
///   std::vector<double> x = samples();
///   rondo::executor ex;
///   rondo::sort(ex, x.begin(), x.end());
///   rondo::sort(ex, x.begin(), x.end(), std::greater<>());
/// \endcode
///
/// *Guarantees.* Sorted as by std::sort: not stable, O(n log n) calls of the comparator, elements
/// may be move-only. Ranges that are sorted already, in either direction, or have few different
/// elements take O(n). Which order equal elements end in may depend on the number of workers.
/// *Exceptions* of the comparator reach the caller. The elements are then in any order, and all
/// are valid; as with std::sort, one that was just on its way may be left as moved from. The
/// comparator must be a strict weak order that several workers can ask at a time.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/partition.hpp>
#include <rondo/core/fork_join.hpp>

namespace rondo {

namespace detail::inline core {

/// A quicksort whose halves are forked, after Peters' pattern-defeating quicksort.
template<class I, class Less>
class sorter {
public:
  sorter(I first, I last, Less& less, std::size_t workers)
      : begin_(first), less_(less), strips_(workers),
        // Until there are enough halves to go round, a range is partitioned by all workers.
        shared_from_(workers == 1
                       ? ~std::size_t{0}
                       : std::max(length(first, last) / workers + 1, std::size_t{1} << 15U)) {}

  void run(I first, I last) {
    if(already_sorted(first, last))
      return;
    sort(first, last, std::bit_width(length(first, last)));
  }

private:
  /// Below this std::sort does it: some 10 microseconds, at least 50 times what a fork costs.
  static constexpr std::size_t leaf = 512;

  bool already_sorted(I first, I last) {
    auto less = fast();
    I i = std::is_sorted_until(first, last, less);
    if(i == last)
      return true;
    if(i - first > 1)
      return false;
    while(++i != last) {
      if(!less(*i, *std::prev(i)))
        return false;
    }
    std::reverse(first, last); // strictly descending
    return true;
  }

  /// `bad` more unbalanced cuts may happen before the range is left to a sort that can't be
  /// fooled.
  void sort(I first, I last, int bad) {
    for(;;) {
      const std::size_t n = length(first, last);
      if(n <= leaf || bad == 0) {
        std::sort(first, last, fast());
        return;
      }
      pivot_to_front(first, n);
      // The element before a range is a former pivot, and not greater than anything in the range. If
      // the new pivot equals it, then elements equal to the pivot are the least, and done.
      if(first != begin_ && !std::invoke(less_, *std::prev(first), *first)) {
        first = partition(std::next(first), last, n,
          [less = fast(), pivot = first](const auto& e) { return !less(*pivot, e); });
        continue;
      }
      const I border = partition(std::next(first), last, n,
        [less = fast(), pivot = first](const auto& e) { return less(e, *pivot); });
      const I middle = std::prev(border);
      std::iter_swap(first, middle);
      const std::size_t before = length(first, middle);
      if(std::min(before, n - before) < n / 8) {
        --bad;
        scatter(first, middle);
        scatter(border, last);
      }
      join([&] { sort(first, middle, bad); }, [&] { sort(border, last, bad); });
      return;
    }
  }

  template<class Before>
  I partition(I first, I last, std::size_t n, Before before) {
    return n < shared_from_ ? serial_partition(first, last, before)
                            : parallel_partition(first, last, strips_, before);
  }

  /// The median of nine elements, as of three medians.
  void pivot_to_front(I first, std::size_t n) {
    const std::size_t step = n / 9;
    const auto sort3 = [&](std::size_t a, std::size_t b, std::size_t c) {
      const I x = advanced(first, a), y = advanced(first, b), z = advanced(first, c);
      if(std::invoke(less_, *y, *x))
        std::iter_swap(x, y);
      if(std::invoke(less_, *z, *y))
        std::iter_swap(y, z);
      if(std::invoke(less_, *y, *x))
        std::iter_swap(x, y);
    };
    sort3(step, 2 * step, 3 * step);
    sort3(4 * step, n / 2, 5 * step);
    sort3(6 * step, 7 * step, 8 * step);
    sort3(2 * step, n / 2, 7 * step);
    std::iter_swap(first, advanced(first, n / 2));
  }

  /// Breaks up patterns that made a bad cut: the next pivots come from elsewhere.
  void scatter(I first, I last) {
    const std::size_t n = length(first, last);
    if(n <= leaf)
      return;
    for(std::size_t i = 1; i != 9; ++i)
      std::iter_swap(advanced(first, n / 9 * i), advanced(first, (n / 9 * i + n / 4 + i) % n));
  }

  /// The comparator for inner loops.
  auto fast() {
    return [less = local_copy<std::iter_reference_t<I>, std::iter_reference_t<I>>(less_)](
             auto&& a, auto&& b) -> bool { return std::invoke(less, a, b); };
  }

  const I begin_;
  Less& less_;
  const std::size_t strips_;
  const std::size_t shared_from_;
};

} // namespace detail::inline core

template<splittable_iterator I, class Less = std::less<>>
  requires std::sortable<I, Less>
void sort(executor& ex, I first, I last, Less less = {}) {
  ex.run([&] {
    const auto workers = this_worker()->home().workers();
    detail::sorter<I, Less>(first, last, less, workers).run(first, last);
  });
}

template<splittable_iterator I, class Less = std::less<>>
  requires std::sortable<I, Less>
void sort(I first, I last, Less less = {}) {
  rondo::sort(detail::here(), first, last, std::move(less));
}

} // namespace rondo
