#pragma once

// The sizes, answers and serial kernels that all fork-join systems share.

#include "harness/case.hpp"
#include "harness/clock.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace bench::forkjoin {

inline int fib_size(bool quick) { return quick ? 25 : 35; }

// fib(n) is also the number of its leaves with n == 1, so calls and value are tied.
constexpr std::int64_t fib_value(int n) {
  std::int64_t a = 0;
  std::int64_t b = 1;
  while(n-- > 0) {
    const auto c = a + b;
    a = b;
    b = c;
  }
  return a;
}
constexpr std::int64_t fib_calls(int n) { return 2 * fib_value(n + 1) - 1; }

inline std::int64_t skynet_size(bool quick) { return quick ? 100'000 : 10'000'000; }
constexpr std::int64_t skynet_value(std::int64_t leaves) { return leaves * (leaves - 1) / 2; }
constexpr std::int64_t skynet_nodes(std::int64_t leaves) { return (10 * leaves - 1) / 9; }

// A partial placement: the column of the queen in each row so far.
using board = std::array<signed char, 16>;

inline constexpr std::array<int, 15> queens_answers = {
  1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596};

inline int queens_size(bool quick) { return quick ? 9 : 13; }

// The boards that follow from b by a queen in the next row; returns how many. In a file of its own:
// the same machine code for every system.
int placements(const board& b, int row, int size, std::array<board, 16>& next);

inline constexpr int matmul_leaf = 64;

inline int matmul_size(bool quick) { return quick ? 256 : 1024; }

// c += a b for blocks of matmul_leaf. In a file of its own, too.
void multiply_leaf(const double* a, const double* b, double* c, int stride);

struct matrices {
  explicit matrices(int n);
  void clear();
  void verify() const; // throws wrong_result
  int n;
  std::vector<double> a, b, c;
};

} // namespace bench::forkjoin
