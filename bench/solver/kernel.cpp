#include "solver/kernel.hpp"

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define BENCH_SOLVER_AVX2
#include <immintrin.h>
#endif

namespace bench::solver::detail {

namespace {

void relax_anywhere(const stencil& a, double* __restrict u, const double* above,
  const double* below, const double* f, coord begin, coord end, int parity) {
  for(coord i = begin + ((begin ^ parity) & 1); i < end; i += 2)
    u[i] = a.relax_f * f[i] + a.relax_y * (above[i] + below[i]) + a.relax_x * (u[i - 1] + u[i + 1]);
}

#if defined(BENCH_SOLVER_AVX2)

// Four vertices at a time, of which two are written. A row is loaded once, ahead of the stores: a load that
// needed some of what has just been stored would wait for it.
__attribute__((target("avx2,fma"))) void relax_avx2(const stencil& a, double* u,
  const double* above, const double* below, const double* f, coord begin, coord end, int parity) {
  const __m256d wx = _mm256_set1_pd(a.relax_x);
  const __m256d wy = _mm256_set1_pd(a.relax_y);
  const __m256d wf = _mm256_set1_pd(a.relax_f);
  const bool first = ((begin ^ parity) & 1) == 0;
  const __m256i own = first ? _mm256_setr_epi64x(-1, 0, -1, 0) : _mm256_setr_epi64x(0, -1, 0, -1);
  coord i = begin;
  if(i + 7 <= end) {
    __m256d left = _mm256_loadu_pd(u + i - 1);
    for(; i + 7 <= end; i += 4) {
      const __m256d next = _mm256_loadu_pd(u + i + 3);
      const __m256d right = _mm256_permute2f128_pd(left, next, 0x21); // u + i + 1
      const __m256d rows = _mm256_add_pd(_mm256_loadu_pd(above + i), _mm256_loadu_pd(below + i));
      __m256d sum = _mm256_mul_pd(wf, _mm256_loadu_pd(f + i));
      sum = _mm256_fmadd_pd(wy, rows, sum);
      sum = _mm256_fmadd_pd(wx, _mm256_add_pd(left, right), sum);
      _mm256_maskstore_pd(u + i, own, sum);
      left = next;
    }
  }
  // The same operations one by one, so that it doesn't matter where a row is cut.
  for(i += (i ^ parity) & 1; i < end; i += 2) {
    u[i] = std::fma(
      a.relax_x, u[i - 1] + u[i + 1], std::fma(a.relax_y, above[i] + below[i], a.relax_f * f[i]));
    __asm__ volatile(""); // or the compiler makes vectors of these three
  }
}

#endif

} // namespace

#if defined(BENCH_SOLVER_AVX2)
const relax_row relax_best =
  __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 ? relax_avx2
                                                                            : relax_anywhere;
#else
const relax_row relax_best = relax_anywhere;
#endif

} // namespace bench::solver::detail
