#include "cholesky/tiles.hpp"

#include "harness/case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <random>
#include <sys/mman.h>

#include <cblas.h>

extern "C" void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);

namespace bench::cholesky {

void free_memory::operator()(double* p) const { std::free(p); }

entries make_entries(std::size_t n) {
  constexpr std::size_t page = 2U << 20U;
  const std::size_t bytes = (n * sizeof(double) + page - 1) / page * page;
  void* const p = std::aligned_alloc(page, bytes);
  if(p == nullptr)
    throw std::bad_alloc();
  madvise(p, bytes, MADV_HUGEPAGE);
  return entries(static_cast<double*>(p));
}

tiled::tiled(std::size_t size, std::size_t tile)
    : tile_(tile), across_(size / tile), entries_(make_entries(tiles() * entries_of_tile())) {
  check(size % tile == 0, "cholesky: the size is no multiple of the tile's");
}

void tiled::copy_from(const tiled& other, std::size_t index) const {
  std::copy_n(other.at(index), entries_of_tile(), at(index));
}

namespace {
// The dtrsm of OpenBLAS 0.3.21 runs at a quarter of its dgemm's speed on processors with AVX-512. By
// halves most of the work is dgemm's.
void solve_columns(int side, int columns, const double* l, double* b) {
  if(columns <= 16) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, side, columns, 1.0,
      l, side, b, side);
    return;
  }
  const int half = columns / 2;
  double* const rest = b + half * side;
  solve_columns(side, half, l, b);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, side, columns - half, half, -1.0, b, side,
    l + half, side, 1.0, rest, side);
  solve_columns(side, columns - half, l + half * side + half, rest);
}
} // namespace

void tiled::factorize(std::size_t a) const {
  const int n = static_cast<int>(tile_);
  int info = 0;
  dpotrf_("L", &n, at(a), &n, &info, 1);
  check(info == 0, "cholesky: not positive definite");
}

void tiled::solve(std::size_t l, std::size_t b) const {
  solve_columns(static_cast<int>(tile_), static_cast<int>(tile_), at(l), at(b));
}

void tiled::update_diagonal(std::size_t a, std::size_t c) const {
  const int n = static_cast<int>(tile_);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, n, -1.0, at(a), n, 1.0, at(c), n);
}

void tiled::update(std::size_t a, std::size_t b, std::size_t c) const {
  const int n = static_cast<int>(tile_);
  cblas_dgemm(
    CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, -1.0, at(a), n, at(b), n, 1.0, at(c), n);
}

void fill(const tiled& a) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> entry(-0.5, 0.5);
  std::generate_n(a.at(0), a.tiles() * a.entries_of_tile(), [&] { return entry(random); });
  for(std::size_t i = 0; i < a.size(); ++i)
    a.entry(i, i) = static_cast<double>(a.size());
}

void check_product(const tiled& a, const tiled& l) {
  const std::size_t n = a.size();
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  for(int vector = 0; vector < 2; ++vector) {
    std::vector<double> x(n), ax(n), sums(n), ltx(n), product(n);
    std::generate(x.begin(), x.end(), [&] { return entry(random); });
    for(std::size_t c = 0; c < n; ++c)
      for(std::size_t r = c; r < n; ++r) {
        const double e = a.entry(r, c);
        ax[r] += e * x[c];
        sums[r] += std::abs(e);
        ltx[c] += l.entry(r, c) * x[r];
        if(r != c) {
          ax[c] += e * x[r];
          sums[c] += std::abs(e);
        }
      }
    for(std::size_t c = 0; c < n; ++c)
      for(std::size_t r = c; r < n; ++r)
        product[r] += l.entry(r, c) * ltx[c];
    const double norm = *std::max_element(sums.begin(), sums.end());
    const double bound = static_cast<double>(n) * norm * std::numeric_limits<double>::epsilon();
    for(std::size_t i = 0; i < n; ++i) // `<` fails for what is no number
      check(std::abs(ax[i] - product[i]) < bound, "cholesky: L L^T is not A");
  }
}

void blas_threads(unsigned n) { openblas_set_num_threads(static_cast<int>(n)); }

} // namespace bench::cholesky
