#pragma once

/// \file
/// `inclusive_scan` and `exclusive_scan`: all partial sums, or other folds, of a range.
///
/// \code
///   std::vector<int> degree{2, 0, 3, 1}, row(4);
///   rondo::executor ex;
///   rondo::exclusive_scan(ex, degree.begin(), degree.end(), row.begin(), 0); // 0 2 2 5
///   rondo::inclusive_scan(ex, degree.begin(), degree.end(), row.begin());    // 2 2 5 6
/// \endcode
///
/// Returns the end of the result. The result may be the range itself, but must not overlap with
/// it in any other way.
///
/// *Guarantees.* `op` must be associative, and need not be commutative. Operands are grouped in a
/// way that depends on their number only, so results have the same bits for any number of
/// workers. One worker alone passes over the range once. *Exceptions* of `op` reach the caller;
/// then the result is not specified.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/blocks.hpp>
#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/loop.hpp>
#include <rondo/core/fork_join.hpp>

namespace rondo {

namespace detail::inline core {

/// Blocks `[0, n)` taken from both ends until they meet. Both ends are in one word.
class two_ended_claims {
public:
  explicit two_ended_claims(std::size_t n) : ends_(std::uint64_t{n} << 32U) {}

  bool claim_first(std::size_t& block) {
    std::uint64_t seen = ends_.load(std::memory_order_relaxed);
    while(first(seen) != last(seen)) {
      if(ends_.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) {
        block = first(seen);
        return true;
      }
    }
    return false;
  }

  bool claim_last(std::size_t& block) {
    std::uint64_t seen = ends_.load(std::memory_order_relaxed);
    while(first(seen) != last(seen)) {
      if(ends_.compare_exchange_weak(
           seen, seen - (std::uint64_t{1} << 32U), std::memory_order_relaxed)) {
        block = last(seen) - 1;
        return true;
      }
    }
    return false;
  }

  /// Nothing is left to claim.
  void close() { ends_.store(0, std::memory_order_relaxed); }

private:
  static std::size_t first(std::uint64_t ends) { return static_cast<std::uint32_t>(ends); }
  static std::size_t last(std::uint64_t ends) { return ends >> 32U; }

  std::atomic<std::uint64_t> ends_;
};

/// A block's results are `op(carry, fold of the block so far)`, where the carry is the fold of
/// everything before the block. One worker goes from the first block on, and always knows the
/// carry. The others go from the last block backwards, and can only find out what each block
/// adds to the carry. Where they meet all carries are known, and the others' blocks are passed
/// over once more, now for the results. The grouping, and so the result, is the same wherever that
/// is.
template<class T, bool Inclusive, class I, class O, class Op>
class scanner {
public:
  scanner(std::size_t n, I first, O out, Op& op)
      : blocks_(is_arithmetic_fold<Op, T> ? coarse_blocks(n) : fine_blocks(n)), first_(first),
        out_(out), op_(op) {}

  void run(std::optional<T> carry, std::size_t workers) {
    if(workers == 1 || blocks_.count() == 1) {
      for(std::size_t i = 0; i != blocks_.count(); ++i)
        scan_block(i, carry);
      return;
    }
    const auto carries = std::make_unique<std::optional<T>[]>(blocks_.count());
    two_ended_claims claims(blocks_.count());
    std::size_t done = 0;
    join_n(std::min(workers, blocks_.count()), [&](std::size_t call) {
      std::size_t i = 0;
      try {
        if(call == 0) {
          for(; claims.claim_first(i); done = i + 1)
            scan_block(i, carry);
        }
        else {
          while(claims.claim_last(i))
            carries[i].emplace(fold_block(i));
        }
      }
      catch(...) {
        claims.close();
        throw;
      }
    });
    for(std::size_t i = done; i != blocks_.count(); ++i) {
      std::optional<T> added = std::move(carries[i]);
      carries[i] = carry;
      if(carry)
        added.emplace(std::invoke(op_, *std::move(carry), *std::move(added)));
      carry = std::move(added);
    }
    run_loop(blocks_.count() - done, auto_chunks(), [&](std::size_t from, std::size_t to) {
      for(std::size_t i = done + from; i != done + to; ++i)
        scan_block(i, carries[i]);
    });
  }

private:
  T fold_block(std::size_t block) {
    auto op = local_copy<T, T>(op_);
    I i = advanced(first_, blocks_.begin(block));
    const I end = advanced(first_, blocks_.end(block));
    T sum = static_cast<T>(*i);
    while(++i != end)
      sum = static_cast<T>(std::invoke(op, std::move(sum), *i));
    return sum;
  }

  /// Writes the results and adds the block to the carry.
  void scan_block(std::size_t block, std::optional<T>& carry) {
    auto op = local_copy<T, T>(op_);
    I i = advanced(first_, blocks_.begin(block));
    const I end = advanced(first_, blocks_.end(block));
    O o = advanced(out_, blocks_.begin(block));
    // The element is read before its place is written: they may be the same.
    T sum = static_cast<T>(*i);
    if constexpr(Inclusive) {
      if(!carry) {
        *o = sum;
        while(++i != end) {
          sum = static_cast<T>(std::invoke(op, std::move(sum), *i));
          *++o = sum;
        }
        carry.emplace(std::move(sum));
        return;
      }
      const T before = *carry;
      *o = std::invoke(op, before, sum);
      while(++i != end) {
        sum = static_cast<T>(std::invoke(op, std::move(sum), *i));
        *++o = std::invoke(op, before, sum);
      }
    }
    else {
      const T before = *carry;
      *o = before;
      while(++i != end) {
        T next = static_cast<T>(std::invoke(op, sum, *i));
        *++o = std::invoke(op, before, std::move(sum));
        sum = std::move(next);
      }
    }
    carry.emplace(std::invoke(op, std::move(*carry), std::move(sum)));
  }

  const blocks blocks_;
  const I first_;
  const O out_;
  Op& op_;
};

template<bool Inclusive, class T, class I, class O, class Op>
O scan(executor& ex, I first, I last, O out, Op& op, std::optional<T> init) {
  const std::size_t n = length(first, last);
  if(n != 0) {
    ex.run([&] {
      scanner<T, Inclusive, I, O, Op>(n, first, out, op)
        .run(std::move(init), this_worker()->home().workers());
    });
  }
  return advanced(out, n);
}

} // namespace detail::inline core

template<splittable_iterator I, splittable_output<std::iter_value_t<I>> O, class Op = std::plus<>>
O inclusive_scan(executor& ex, I first, I last, O out, Op op = {}) {
  return detail::scan<true, std::iter_value_t<I>>(ex, first, last, out, op, {});
}

template<splittable_iterator I, std::copyable T, splittable_output<T> O, class Op>
O inclusive_scan(executor& ex, I first, I last, O out, Op op, T init) {
  return detail::scan<true, T>(ex, first, last, out, op, std::move(init));
}

template<splittable_iterator I, std::copyable T, splittable_output<T> O, class Op = std::plus<>>
O exclusive_scan(executor& ex, I first, I last, O out, T init, Op op = {}) {
  return detail::scan<false, T>(ex, first, last, out, op, std::move(init));
}

template<splittable_iterator I, splittable_output<std::iter_value_t<I>> O, class Op = std::plus<>>
O inclusive_scan(I first, I last, O out, Op op = {}) {
  return rondo::inclusive_scan(detail::here(), first, last, out, std::move(op));
}

template<splittable_iterator I, std::copyable T, splittable_output<T> O, class Op>
O inclusive_scan(I first, I last, O out, Op op, T init) {
  return rondo::inclusive_scan(detail::here(), first, last, out, std::move(op), std::move(init));
}

template<splittable_iterator I, std::copyable T, splittable_output<T> O, class Op = std::plus<>>
O exclusive_scan(I first, I last, O out, T init, Op op = {}) {
  return rondo::exclusive_scan(detail::here(), first, last, out, std::move(init), std::move(op));
}

} // namespace rondo
