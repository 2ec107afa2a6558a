#pragma once

/// \file
/// The blocks in which reductions and scans group their operands. They depend on the number of
/// elements only, never on workers, chunks or timing: that is why results are reproducible.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>

namespace rondo::detail::inline core {

/// `n` elements in blocks of `size`, the last one may be shorter.
struct blocks {
  std::size_t n, size;

  [[nodiscard]] constexpr std::size_t count() const { return n / size + (n % size != 0 ? 1 : 0); }
  [[nodiscard]] constexpr std::size_t begin(std::size_t block) const { return block * size; }
  [[nodiscard]] constexpr std::size_t end(std::size_t block) const {
    return n - begin(block) > size ? begin(block) + size : n;
  }
};

inline constexpr std::size_t many_blocks = 1024; ///< Enough to balance some hundred workers.

/// For operations of unknown cost. One element may take a second, so up to 64 elements each get
/// a block of their own; or a nanosecond, so blocks grow to where forking them costs nothing.
[[nodiscard]] constexpr blocks fine_blocks(std::size_t n) {
  const std::size_t size = std::clamp((n + 63) / 64, std::size_t{1}, std::size_t{256});
  return {n, std::max(size, (n + many_blocks - 1) / many_blocks)};
}

/// For additions of numbers and the like: less than some thousand are not worth a fork.
[[nodiscard]] constexpr blocks coarse_blocks(std::size_t n) {
  return {n, std::max(std::size_t{4096}, (n + many_blocks - 1) / many_blocks)};
}

/// Sums and products of numbers: cheap, and operands may change places.
template<class Op, class T>
inline constexpr bool is_arithmetic_fold =
  std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
  (std::is_same_v<Op, std::plus<>> || std::is_same_v<Op, std::plus<T>> ||
    std::is_same_v<Op, std::multiplies<>> || std::is_same_v<Op, std::multiplies<T>>);

} // namespace rondo::detail::inline core
