// The whole matrix in one call, column by column without tiles, on OpenBLAS's own threads.

#include "cholesky/cases.hpp"

#include <algorithm>

extern "C" void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);

namespace {

using namespace bench::cholesky;

bench::figures measure_dpotrf(const bench::context& c, std::size_t tile, int repetitions) {
  constexpr int passes = 4;
  const problem p(c.quick ? 512 : 4096, c.quick ? 64 : tile); // its tiles are for the check
  const std::size_t n = p.l.size();
  const entries original = make_entries(n * n);
  const entries matrix = make_entries(n * n);
  std::fill_n(original.get(), n * n, 0.0);
  for(std::size_t column = 0; column < n; ++column)
    for(std::size_t row = column; row < n; ++row)
      original[column * n + row] = p.a.entry(row, column);
  const auto copy_in = [&] { // what is above the diagonal is not looked at
    for(std::size_t column = 0; column < n; ++column)
      std::copy(
        &original[column * n + column], &original[column * n] + n, &matrix[column * n + column]);
  };
  const auto factorize = [&] {
    const int size = static_cast<int>(n);
    int info = 0;
    dpotrf_("L", &size, matrix.get(), &size, &info, 1);
    bench::check(info == 0, "cholesky: not positive definite");
  };

  blas_threads(c.workers);
  std::vector<double> times;
  for(int pass = 0; pass < passes; ++pass) {
    copy_in();
    times.push_back(bench::time_of([&] {
      for(int repetition = 0; repetition < repetitions; ++repetition) {
        if(repetitions != 1)
          copy_in();
        factorize();
      }
    }));
    for(std::size_t column = 0; column < n; ++column)
      for(std::size_t row = column; row < n; ++row)
        p.l.entry(row, column) = matrix[column * n + row];
    check_product(p.a, p.l);
  }
  times.erase(times.begin());
  return {{"time per factorization", "ms", bench::median(times) * 1e-6 / repetitions}};
}

const bool added = [] {
  for(const shape& s : shapes)
    bench::add({s.name, "OpenBLAS dpotrf", bench::role::peer, {1, 2},
      [s](const bench::context& c) { return measure_dpotrf(c, s.tile, s.repetitions); }});
  return true;
}();

} // namespace
