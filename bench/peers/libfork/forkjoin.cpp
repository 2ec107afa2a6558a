// libfork forks coroutines, so it brings its own versions of the four algorithms.

#include "forkjoin/cases.hpp"

#include <libfork.hpp>

namespace {

using namespace bench::forkjoin;

constexpr auto fib = [](auto self, int n) -> lf::task<std::int64_t> {
  if(n < 2)
    co_return n;
  std::int64_t a = 0;
  std::int64_t b = 0;
  co_await lf::fork(&a, self)(n - 1);
  co_await lf::call(&b, self)(n - 2);
  co_await lf::join;
  co_return a + b;
};

constexpr auto skynet = [](auto self, std::int64_t first,
                          std::int64_t leaves) -> lf::task<std::int64_t> {
  if(leaves == 1)
    co_return first;
  std::array<std::int64_t, 10> part;
  const auto size = leaves / 10;
  for(int i = 0; i < 9; ++i)
    co_await lf::fork(&part[i], self)(first + i * size, size);
  co_await lf::call(&part[9], self)(first + 9 * size, size);
  co_await lf::join;
  co_return std::accumulate(part.begin(), part.end(), std::int64_t{0});
};

constexpr auto queens = [](auto self, const board& b, int row, int size) -> lf::task<int> {
  if(row == size)
    co_return 1;
  std::array<board, 16> next;
  std::array<int, 16> found;
  const int n = placements(b, row, size, next);
  if(n == 0)
    co_return 0;
  for(int i = 0; i < n - 1; ++i)
    co_await lf::fork(&found[i], self)(next[i], row + 1, size);
  co_await lf::call(&found[n - 1], self)(next[n - 1], row + 1, size);
  co_await lf::join;
  co_return std::accumulate(found.begin(), found.begin() + n, 0);
};

constexpr auto multiply = [](auto self, const double* a, const double* b, double* c, int n,
                            int stride) -> lf::task<> {
  if(n == matmul_leaf) {
    multiply_leaf(a, b, c, stride);
    co_return;
  }
  const int h = n / 2;
  for(int k = 0; k < 2; ++k) {
    const double* left = a + k * h;
    const double* right = b + k * h * stride;
    co_await lf::fork(self)(left, right, c, h, stride);
    co_await lf::fork(self)(left, right + h, c + h, h, stride);
    co_await lf::fork(self)(left + h * stride, right, c + h * stride, h, stride);
    co_await lf::call(self)(left + h * stride, right + h, c + h * stride + h, h, stride);
    co_await lf::join;
  }
};

template<class Pool>
struct libfork {
  explicit libfork(unsigned workers) : pool(workers) {}
  std::int64_t fib(int n) { return lf::sync_wait(pool, ::fib, n); }
  std::int64_t skynet(std::int64_t leaves) { return lf::sync_wait(pool, ::skynet, 0, leaves); }
  int queens(int n) {
    const board empty{};
    return lf::sync_wait(pool, ::queens, empty, 0, n);
  }
  void multiply(matrices& m) {
    lf::sync_wait(pool, ::multiply, m.a.data(), m.b.data(), m.c.data(), m.n, m.n);
  }
  Pool pool;
};

// Idle workers of the lazy pool sleep, those of the busy pool never do: the user of libfork chooses.
const bool lazy = add_driver<libfork<lf::lazy_pool>>("libfork", bench::role::peer);
const bool busy = add_driver<libfork<lf::busy_pool>>("libfork busy", bench::role::peer);

} // namespace
