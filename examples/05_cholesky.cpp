// A factorization whose tasks are calls of BLAS, launched by the loops of the text book.
//
//     05_cholesky [SIZE [TILE [REPETITIONS [DIAGONAL]]]]       (2048 256 5)
//
// A symmetric positive definite matrix A is factorized, A = L L^T. It is cut into tiles, each a
// region; only the tiles on and below the diagonal are there. The loops launch what is to be done
// with the tiles, and what may run together the flow sees from what each task reads and writes. All
// repetitions are launched without waiting, each of a fresh copy of A: so one begins while the one
// before still works on its last tiles.
//
// DIAGONAL is what A has there: SIZE unless given, which makes it positive definite. With a small
// one it is not; then a task throws, and the program says so.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <limits>
#include <random>
#include <rondo/flow.hpp>
#include <rondo/options.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cblas.h>

extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info,
  std::size_t uplo_length); // LAPACK's; it has no header that is everywhere

namespace {

// --- tiles ----------------------------------------------------------------------------------------

/// Column by column, without gaps.
struct tile {
  tile(int r, int c) : rows(r), columns(c), entries(std::size_t(r) * std::size_t(c)) {}
  double& at(int i, int j) { return entries[std::size_t(j) * std::size_t(rows) + std::size_t(i)]; }
  double at(int i, int j) const { return const_cast<tile*>(this)->at(i, j); }
  int rows, columns;
  std::vector<double> entries;
};

/// The lower half of a symmetric matrix, or a lower triangular one, row of tiles by row of tiles.
/// The tiles of the last row and column are smaller if the size asks for that.
struct tiled {
  tiled(int n, int t) : size(n), tile_size(t), across((n - 1) / t + 1) {
    for(int i = 0; i != across; ++i)
      for(int j = 0; j <= i; ++j)
        tiles.emplace_back(length(i), length(j));
  }
  int first(int i) const { return i * tile_size; } // row of the matrix where the i-th tile begins
  int length(int i) const { return std::min(tile_size, size - first(i)); }
  static std::size_t index(int i, int j) { return std::size_t(i) * std::size_t(i + 1) / 2 + j; }
  const tile& at(int i, int j) const { return tiles[index(i, j)]; }

  int size, tile_size, across; // `across`: so many tiles
  std::vector<tile> tiles;
};

tiled random_matrix(int size, int tile_size, double diagonal) {
  tiled a(size, tile_size);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> entry(-0.5, 0.5);
  for(tile& t : a.tiles)
    std::generate(t.entries.begin(), t.entries.end(), [&] { return entry(random); });
  for(int i = 0; i != a.across; ++i) { // the tiles on the diagonal are symmetric themselves
    tile& t = a.tiles[tiled::index(i, i)];
    for(int c = 0; c != t.columns; ++c) {
      t.at(c, c) = diagonal;
      for(int r = c + 1; r != t.rows; ++r)
        t.at(c, r) = t.at(r, c);
    }
  }
  return a;
}

// --- tasks ----------------------------------------------------------------------------------------

/// L of a tile of the diagonal, whose first row is that row of the matrix. The half above the
/// diagonal is left as it is.
void factorize(int first_row, tile& a) {
  int info = 0;
  dpotrf_("L", &a.rows, a.entries.data(), &a.rows, &info, 1);
  if(info != 0) // wait() throws it, and what comes after this task is not run
    throw std::domain_error("the matrix is not positive definite: its leading minor of order " +
                            std::to_string(first_row + info) + " is not positive");
}

/// b = b l^-T, where l and b are the first entries of blocks of tiles with so many rows. This is
/// BLAS's dtrsm. But that of OpenBLAS takes up to four times as long as its dgemm for as much work,
/// so most of it is left to dgemm: the first half of the columns, what these are to the others, and
/// the others.
void solve(const double* l, int l_rows, double* b, int b_rows, int columns) {
  if(columns <= 16) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, b_rows, columns,
      1.0, l, l_rows, b, b_rows);
    return;
  }
  const int half = columns / 2;
  double* const others = b + std::ptrdiff_t(half) * b_rows;
  solve(l, l_rows, b, b_rows, half);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, b_rows, columns - half, half, -1.0, b,
    b_rows, l + half, l_rows, 1.0, others, b_rows);
  solve(l + std::ptrdiff_t(half) * l_rows + half, l_rows, others, b_rows, columns - half);
}

void solve_tile(const tile& l, tile& b) {
  solve(l.entries.data(), l.rows, b.entries.data(), b.rows, b.columns);
}

/// c = c - a a^T, on and below the diagonal.
void update_diagonal(const tile& a, tile& c) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, c.rows, a.columns, -1.0, a.entries.data(),
    a.rows, 1.0, c.entries.data(), c.rows);
}

/// c = c - a b^T
void update(const tile& a, const tile& b, tile& c) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, c.rows, c.columns, a.columns, -1.0,
    a.entries.data(), a.rows, b.entries.data(), b.rows, 1.0, c.entries.data(), c.rows);
}

/// Adds to the logarithm of the determinant.
void add_logarithms(const tile& l, double& sum) {
  for(int i = 0; i != l.rows; ++i)
    sum += 2 * std::log(l.at(i, i));
}

// --- launches -------------------------------------------------------------------------------------

/// Makes each of the repetitions in `l` and returns the logarithms of the determinants.
std::vector<double> factorize(rondo::executor& ex, const tiled& a, tiled& l, int repetitions) {
  double sum = 0;
  rondo::flow flow(ex);
  std::deque<rondo::region<tile>> regions; // regions stay where they are made
  for(tile& t : l.tiles)
    regions.emplace_back(flow, t, "tile");
  rondo::region determinant(flow, sum, "determinant");
  const auto of = [&](int i, int j) -> rondo::region<tile>& { return regions[tiled::index(i, j)]; };
  const auto copy_in = [&](int i, int j) { // no task writes A, so it needs no regions
    flow.submit([](const tile& from, tile& to) { to.entries = from.entries; },
      std::cref(a.at(i, j)), rondo::write(of(i, j)));
  };

  std::vector<rondo::future<double>> logarithms;
  for(int repetition = 0; repetition != repetitions; ++repetition) {
    // Everything for one tile is launched in a row. So the one who works on it finds it in the cache.
    for(int j = 0; j != l.across; ++j) {
      copy_in(j, j);
      for(int k = 0; k != j; ++k)
        flow.submit(update_diagonal, rondo::read(of(j, k)), rondo::write(of(j, j)));
      flow.submit(
        [first_row = l.first(j)](tile& t) { factorize(first_row, t); }, rondo::write(of(j, j)));
      for(int i = j + 1; i != l.across; ++i) {
        copy_in(i, j);
        for(int k = 0; k != j; ++k)
          flow.submit(update, rondo::read(of(i, k)), rondo::read(of(j, k)), rondo::write(of(i, j)));
        flow.submit(solve_tile, rondo::read(of(j, j)), rondo::write(of(i, j)));
      }
      flow.submit(add_logarithms, rondo::read(of(j, j)), rondo::reduce(determinant));
    }
    logarithms.push_back(
      flow.submit([](double& s) { return std::exchange(s, 0.0); }, rondo::write(determinant)));
  }
  flow.wait(); // only here; and throws what a task has thrown

  std::vector<double> values;
  for(const auto& value : logarithms)
    values.push_back(value.get());
  return values;
}

// --- is it right? ---------------------------------------------------------------------------------

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double largest(const std::vector<double>& x) {
  double most = 0;
  for(double e : x)
    most = std::isnan(e) ? e : std::max(most, std::abs(e)); // what is no number stays none
  return most;
}

enum class part { whole, lower, upper }; // the symmetric matrix; L; L^T

/// What the tiles stand for, times x.
std::vector<double> times(const tiled& m, part which, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for(int i = 0; i != m.across; ++i)
    for(int j = 0; j <= i; ++j) {
      const tile& t = m.at(i, j);
      double* const yi = &y[std::size_t(m.first(i))];
      double* const yj = &y[std::size_t(m.first(j))];
      const double* const xi = &x[std::size_t(m.first(i))];
      const double* const xj = &x[std::size_t(m.first(j))];
      for(int c = 0; c != t.columns; ++c)
        for(int r = i == j ? c : 0; r != t.rows; ++r) {
          const bool on_diagonal = i == j && r == c;
          if(which != part::upper)
            yi[r] += t.at(r, c) * xj[c];
          if(which == part::upper || (which == part::whole && !on_diagonal))
            yj[c] += t.at(r, c) * xi[r];
        }
    }
  return y;
}

/// The largest sum of the magnitudes of a row.
double norm(tiled a) {
  for(tile& t : a.tiles)
    std::transform(
      t.entries.begin(), t.entries.end(), t.entries.begin(), [](double e) { return std::abs(e); });
  return largest(times(a, part::whole, std::vector<double>(std::size_t(a.size), 1.0)));
}

/// |A x - L (L^T x)| / (n |A| |x| epsilon), the largest of some random x. It is less than 1 if only
/// roundings are in it, and costs n^2 operations, where A - L L^T would cost more than L did.
double residual(const tiled& a, const tiled& l) {
  const double scale = a.size * norm(a) * epsilon;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  std::vector<double> worst;
  for(int i = 0; i != 4; ++i) {
    std::vector<double> x(std::size_t(a.size));
    std::generate(x.begin(), x.end(), [&] { return entry(random); });
    std::vector<double> difference = times(a, part::whole, x);
    const std::vector<double> product = times(l, part::lower, times(l, part::upper, x));
    for(std::size_t k = 0; k != x.size(); ++k)
      difference[k] -= product[k];
    worst.push_back(largest(difference) / (scale * largest(x)));
  }
  return largest(worst);
}

/// The largest difference to what LAPACK makes of the whole matrix, in units of n |L| epsilon.
double difference_to_lapack(const tiled& a, const tiled& l) {
  tile whole(a.size, a.size); // as one tile
  for(int i = 0; i != a.across; ++i)
    for(int j = 0; j <= i; ++j)
      for(int c = 0; c != a.length(j); ++c)
        for(int r = 0; r != a.length(i); ++r)
          whole.at(a.first(i) + r, a.first(j) + c) = a.at(i, j).at(r, c);
  factorize(0, whole);
  std::vector<double> differences, entries;
  for(int i = 0; i != l.across; ++i)
    for(int j = 0; j <= i; ++j)
      for(int c = 0; c != l.length(j); ++c)
        for(int r = i == j ? c : 0; r != l.length(i); ++r) {
          entries.push_back(whole.at(l.first(i) + r, l.first(j) + c));
          differences.push_back(l.at(i, j).at(r, c) - entries.back());
        }
  return largest(differences) / (a.size * largest(entries) * epsilon);
}

bool is_right(const tiled& a, const tiled& l, const std::vector<double>& logarithms) {
  const double r = residual(a, l);
  std::printf("|A - L L^T| / (n |A| epsilon) = %.2g\n", r);
  bool right = r < 1; // false also if it is no number
  if(a.size <= 1024) {
    const double d = difference_to_lapack(a, l);
    std::printf("|L - L of LAPACK| / (n |L| epsilon) = %.2g\n", d);
    right = right && d < 1;
  }
  // Only the last L is still there, but each repetition has left its determinant.
  for(const double value : logarithms)
    right = right && std::abs(value - logarithms[0]) <= 1e-12 * std::abs(logarithms[0]);
  return right;
}

// --- the program ----------------------------------------------------------------------------------

void run(int argc, char** argv) {
  int size = 2048, tile_size = 256, repetitions = 5, diagonal = 0;
  rondo::options o("A factorization whose tasks are calls of BLAS.");
  o.argument("SIZE", &size, "rows of the matrix").between(1, 100'000);
  o.argument("TILE", &tile_size, "rows of a tile").between(1, 10'000);
  o.argument("REPETITIONS", &repetitions, "of the factorization").between(1, 10'000);
  const auto other = o.argument("DIAGONAL", &diagonal, "what the matrix has there, if not SIZE")
                       .between(-1'000'000, 1'000'000);
  o.parse(argc, argv);
  if(!other.given())
    diagonal = size;

  openblas_set_num_threads(1); // the workers are there already
  rondo::executor ex;          // one for each core this process may use
  const tiled a = random_matrix(size, tile_size, diagonal);
  tiled l(size, tile_size);

  const auto begin = std::chrono::steady_clock::now();
  const std::vector<double> logarithms = factorize(ex, a, l, repetitions);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;

  const double each = time.count() / repetitions;
  std::printf("%d x %d in tiles of %d, %d times on %u worker%s: %.4g s each, %.3g Gflop/s\n", size,
    size, tile_size, repetitions, ex.workers(), ex.workers() == 1 ? "" : "s", each,
    std::pow(size, 3) / 3 / each * 1e-9);
  if(!is_right(a, l, logarithms))
    throw std::runtime_error("the result is wrong: please report this");
}

} // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "05_cholesky: %s\n", e.what());
    return EXIT_FAILURE;
  }
}
