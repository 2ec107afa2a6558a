#include "forkjoin/problems.hpp"

#include <algorithm>
#include <cmath>

namespace bench::forkjoin {

void multiply_leaf(const double* a, const double* b, double* c, int stride) {
  for(int i = 0; i < matmul_leaf; ++i)
    for(int k = 0; k < matmul_leaf; ++k) {
      const double f = a[i * stride + k];
      for(int j = 0; j < matmul_leaf; ++j)
        c[i * stride + j] += f * b[k * stride + j];
    }
}

matrices::matrices(int size)
    : n(size), a(static_cast<std::size_t>(size) * size), b(a.size()), c(a.size()) {
  for(int i = 0; i < n; ++i)
    for(int j = 0; j < n; ++j) {
      a[i * n + j] = ((i * 7 + j * 3) % 11) - 5.0;
      b[i * n + j] = ((i * 5 + j * 2) % 13) - 6.0;
    }
}

void matrices::clear() { std::fill(c.begin(), c.end(), 0.0); }

// Entries are small integers, so that sums are exact in any order.
void matrices::verify() const {
  for(int s = 0; s < 64; ++s) {
    const int i = (s * 577 + 13) % n;
    const int j = (s * 331 + 7) % n;
    double sum = 0;
    for(int k = 0; k < n; ++k)
      sum += a[i * n + k] * b[k * n + j];
    check(c[i * n + j] == sum, "matmul: wrong entry");
  }
}

} // namespace bench::forkjoin
