#pragma once

/// \file
/// The engine behind `reduce` and `transform_reduce`: folds `get(0) .. get(n - 1)` in a fixed tree.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <rondo/core/algorithm/blocks.hpp>
#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/common.hpp>
#include <rondo/core/algorithm/loop.hpp>
#include <rondo/core/fork_join.hpp>

namespace rondo::detail::inline core {

template<class T, class Get, class Op>
class folder {
  using element = std::invoke_result_t<Get&, std::size_t>;
  static constexpr bool arithmetic =
    is_arithmetic_fold<Op, T> && std::is_arithmetic_v<std::remove_cvref_t<element>>;

public:
  /// `cheap`: getting an element costs next to nothing. There must be at least one.
  folder(std::size_t n, bool cheap, Get& get, Op& op)
      : blocks_(arithmetic && cheap ? coarse_blocks(n) : fine_blocks(n)), get_(get), op_(op) {}

  /// Forks at every inner node of the tree: against a block a fork that nobody steals is
  /// nothing, and thieves find the largest sub-tree there is.
  T run(auto_chunks) { return fold_tree(0, blocks_.count()); }

  /// Blocks first, then the tree over their results.
  template<planned_chunking C>
  T run(const C& chunks) {
    const auto results = std::make_unique<std::optional<T>[]>(blocks_.count());
    run_loop(blocks_.count(), chunks, [&](std::size_t from, std::size_t to) {
      for(std::size_t i = from; i != to; ++i)
        results[i].emplace(fold_block(i));
    });
    return combine(results.get(), 0, blocks_.count());
  }

private:
  T fold_tree(std::size_t first, std::size_t last) {
    if(last - first == 1)
      return fold_block(first);
    const std::size_t middle = first + (last - first) / 2;
    auto [left, right] =
      join([&] { return fold_tree(first, middle); }, [&] { return fold_tree(middle, last); });
    return static_cast<T>(std::invoke(op_, std::move(left), std::move(right)));
  }

  T combine(std::optional<T>* results, std::size_t first, std::size_t last) {
    if(last - first == 1)
      return std::move(*results[first]);
    const std::size_t middle = first + (last - first) / 2;
    T left = combine(results, first, middle);
    return static_cast<T>(std::invoke(op_, std::move(left), combine(results, middle, last)));
  }

  T fold_block(std::size_t block) {
    auto get = local_copy<std::size_t>(get_);
    auto op = local_copy<T, T>(op_);
    const std::size_t from = blocks_.begin(block), to = blocks_.end(block);
    if constexpr(arithmetic) {
      if(to - from >= 2 * accumulators)
        return fold_side_by_side(from, to, get, op);
    }
    T result = static_cast<T>(get(from));
    for(std::size_t i = from + 1; i != to; ++i)
      result = static_cast<T>(std::invoke(op, std::move(result), get(i)));
    return result;
  }

  /// Element i goes to accumulator i % accumulators. A single one would wait for each addition to end
  /// before it begins the next, and must not be vectorized; these are, and keep up with memory.
  static constexpr std::size_t accumulators = 16;

  template<class FastGet, class FastOp>
  static T fold_side_by_side(std::size_t from, std::size_t to, FastGet& get, FastOp& op) {
    std::array<T, accumulators> sums;
    for(std::size_t j = 0; j != accumulators; ++j)
      sums[j] = static_cast<T>(get(from + j));
    std::size_t i = from + accumulators;
    for(; to - i >= accumulators; i += accumulators) {
      for(std::size_t j = 0; j != accumulators; ++j)
        sums[j] = static_cast<T>(op(sums[j], static_cast<T>(get(i + j))));
    }
    for(std::size_t j = 0; i != to; ++i, ++j)
      sums[j] = static_cast<T>(op(sums[j], static_cast<T>(get(i))));
    for(std::size_t half = accumulators / 2; half != 0; half /= 2) {
      for(std::size_t j = 0; j != half; ++j)
        sums[j] = static_cast<T>(op(sums[j], sums[j + half]));
    }
    return sums[0];
  }

  const blocks blocks_;
  Get& get_;
  Op& op_;
};

/// `op(init, fold)`, or `init` if there is nothing to fold.
template<class T, class Get, class Op, class C>
T fold(executor& ex, std::size_t n, bool cheap, T init, Get get, Op& op, const C& chunks) {
  if(n == 0)
    return init;
  return ex.run([&]() -> T {
    return static_cast<T>(
      std::invoke(op, std::move(init), folder<T, Get, Op>(n, cheap, get, op).run(chunks)));
  });
}

} // namespace rondo::detail::inline core
