// The problem of HPCG, the High Performance Conjugate Gradients benchmark, and its checks: several sparse matrices in one launch.
//
//     17_hpcg [POINTS]                        (32)
//     mpirun -np 4 17_hpcg 96
//
// A box of POINTS x POINTS x POINTS points, each with an equation: 26 times its own value less those around it, such that all values
// are 1. Conjugate gradients find them, with a preconditioner: four levels, each with every second point of the one before along each
// axis, and a sweep of Gauss-Seidel there and back on the way down, on the coarsest level, and on the way up. A sweep goes row by row
// within a color, and sees other colors as they were before it.
//
// A level is a matrix of its own. All have the colors of the first one, so a task takes fields of two levels.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ranges>
#include <rondo/options.hpp>
#include <rondo/sparse.hpp>
#include <tuple>
#include <utility>
#include <vector>

using namespace rondo;
using numbers = field<double>;
using matrix = field<ragged<double>>; // of each row its values, in the order of its columns
using rows_below =
  field<sparse::view::row>; // of each row that of the finer level at the same point

namespace {

constexpr color_id halves = 2; // colors along each axis, on any number of ranks
constexpr int levels = 4;

/// The points of a level, so many along each axis. A row is a point; they are numbered along x first.
struct cube {
  std::int64_t points;

  std::int64_t rows() const { return points * points * points; }
  std::int64_t row(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x + points * (y + points * z);
  }
  std::array<std::int64_t, 3> at(std::int64_t row) const {
    return {row % points, row / points % points, row / points / points};
  }
  color_id color_of(std::int64_t row) const {
    const auto half = [&](std::int64_t i) { return static_cast<color_id>(i * halves / points); };
    const auto [x, y, z] = at(row);
    return half(x) + halves * (half(y) + halves * half(z));
  }
  std::int64_t finer(std::int64_t row) const {
    const auto [x, y, z] = at(row);
    return cube{2 * points}.row(2 * x, 2 * y, 2 * z);
  }

  sparse_piece operator()(unsigned part, unsigned parts) const {
    sparse_piece made;
    std::vector<std::int64_t> columns;
    for(std::int64_t r = rows() * part / parts; r != rows() * (part + 1) / parts; ++r) {
      columns.clear();
      const auto [i, j, k] = at(r);
      const auto last = points - 1;
      for(auto z = std::max<std::int64_t>(k - 1, 0); z <= std::min(k + 1, last); ++z)
        for(auto y = std::max<std::int64_t>(j - 1, 0); y <= std::min(j + 1, last); ++y)
          for(auto x = std::max<std::int64_t>(i - 1, 0); x <= std::min(i + 1, last); ++x)
            columns.push_back(row(x, y, z));
      made.add_row(columns);
    }
    return made;
  }
};

namespace task {

/// `dominant`: the diagonal is so large that little else matters, and different in the first nine rows.
void fill(sparse::view m, matrix::accessor<wo> a, bool dominant) {
  for(const auto r : m.owned()) {
    const double first = m.id(r) < 9 ? double(m.id(r) + 2) : 1;
    const double diagonal = dominant ? 26e6 * first : 26;
    const auto values = a(r);
    values.clear();
    for(const auto column : m.columns_of(r))
      values.push_back(column == r ? diagonal : -1);
  }
}
/// Such that the solution is 1.
void right_side(sparse::view m, matrix::accessor<ro> a, numbers::accessor<wo> b) {
  for(const auto r : m.owned()) {
    b(r) = 0;
    for(const double value : a(r))
      b(r) += value;
  }
}
void link(sparse::view m, sparse::view fine, rows_below::accessor<wo> below, cube points) {
  for(const auto r : m.owned())
    below(r) = fine.find(points.finer(m.id(r))).value();
}

double row_times(const sparse::view& m, const matrix::accessor<ro>& a,
  const numbers::accessor<ro, ro>& x, sparse::view::row r) {
  const auto columns = m.columns_of(r);
  const auto values = a(r);
  double sum = 0;
  for(std::size_t k = 0; k != columns.size(); ++k)
    sum += values[k] * x(columns[k]);
  return sum;
}
/// x(r) such that the equation of this row is right.
void relax(const sparse::view& m, const matrix::accessor<ro>& a, const numbers::accessor<rw, ro>& x,
  const numbers::accessor<ro>& right, sparse::view::row r) {
  const auto columns = m.columns_of(r);
  const auto values = a(r);
  double sum = right(r);
  double diagonal = 0;
  for(std::size_t k = 0; k != columns.size(); ++k)
    if(columns[k] == r)
      diagonal = values[k];
    else
      sum -= values[k] * x(columns[k]);
  x(r) = sum / diagonal;
}
/// There and back. Ghosts are those from before the launch.
void smooth(sparse::view m, matrix::accessor<ro> a, numbers::accessor<rw, ro> x,
  numbers::accessor<ro> right) {
  for(const auto r : m.owned())
    relax(m, a, x, right, r);
  for(const auto r : std::views::reverse(m.owned()))
    relax(m, a, x, right, r);
}
/// What is left of the right side, at points of the coarser level.
void restrict(sparse::view fine, sparse::view coarse, matrix::accessor<ro> a,
  numbers::accessor<ro, ro> x, numbers::accessor<ro> right, rows_below::accessor<ro> below,
  numbers::accessor<wo> coarse_right) {
  for(const auto r : coarse.owned())
    coarse_right(r) = right(below(r)) - row_times(fine, a, x, below(r));
}
void correct(sparse::view /*fine*/, sparse::view coarse, numbers::accessor<rw> x,
  rows_below::accessor<ro> below, numbers::accessor<ro> coarse_x) {
  for(const auto r : coarse.owned())
    x(below(r)) += coarse_x(r);
}
void clear(sparse::view m, numbers::accessor<wo> x) {
  for(const auto r : m.owned())
    x(r) = 0;
}

/// x = 0, r = b, p = 0. Returns |r|^2.
double begin(sparse::view m, numbers::accessor<wo> x, numbers::accessor<wo> r,
  numbers::accessor<wo> p, numbers::accessor<ro> b) {
  double sum = 0;
  for(const auto i : m.owned()) {
    x(i) = p(i) = 0;
    r(i) = b(i);
    sum += b(i) * b(i);
  }
  return sum;
}
/// p = z + beta p, where beta is the quotient of r z and what it was before; p = z at first.
void turn(
  sparse::view m, numbers::accessor<rw> p, numbers::accessor<ro> z, double rz, double before) {
  const double beta = before == 0 ? 0 : rz / before;
  for(const auto i : m.owned())
    p(i) = z(i) + beta * p(i);
}
/// q = A p. Returns p q.
double apply(
  sparse::view m, matrix::accessor<ro> a, numbers::accessor<wo> q, numbers::accessor<ro, ro> p) {
  double sum = 0;
  for(const auto r : m.owned()) {
    q(r) = row_times(m, a, p, r);
    sum += p(r) * q(r);
  }
  return sum;
}
void multiply(
  sparse::view m, matrix::accessor<ro> a, numbers::accessor<wo> q, numbers::accessor<ro, ro> p) {
  apply(m, a, q, p);
}
/// x += alpha p, r -= alpha q. Returns |r|^2.
double advance(sparse::view m, numbers::accessor<rw> x, numbers::accessor<rw> r,
  numbers::accessor<ro> p, numbers::accessor<ro> q, double rz, double pq) {
  double sum = 0;
  for(const auto i : m.owned()) {
    x(i) += rz / pq * p(i);
    r(i) -= rz / pq * q(i);
    sum += r(i) * r(i);
  }
  return sum;
}

void copy(sparse::view m, numbers::accessor<wo> to, numbers::accessor<ro> from) {
  for(const auto r : m.owned())
    to(r) = from(r);
}
double dot(sparse::view m, numbers::accessor<ro> x, numbers::accessor<ro> y) {
  double sum = 0;
  for(const auto r : m.owned())
    sum += x(r) * y(r);
  return sum;
}
/// Numbers between -1 and 1 without order, the same with any colors.
void scatter(sparse::view m, numbers::accessor<wo> x, double seed) {
  for(const auto r : m.owned()) {
    const double large = 1e4 * std::sin(seed * double(m.id(r) + 1));
    x(r) = 2 * (large - std::floor(large)) - 1;
  }
}
double error(sparse::view m, numbers::accessor<ro> x) {
  double most = 0;
  for(const auto r : m.owned())
    fold::max(most, std::abs(x(r) - 1));
  return most;
}

} // namespace task

/// The cycle takes `right`, and leaves in x about what the matrix has to be multiplied by to give that.
struct level {
  explicit level(sparse of) : m(std::move(of)) {}
  sparse m;
  matrix a{m, "a"};
  numbers x{m, "x of the level"}, right{m, "right side of the level"};
  rows_below below{m, "rows below"};
};

std::vector<level> levels_of(scheduler& s, std::int64_t points) {
  const cube all{points};
  const cut_function cut = [&](auto&, const uncut_cells& rows, color_id) {
    std::vector<color_id> colors;
    for(std::size_t r = 0; r != rows.centers.size(); ++r)
      colors.push_back(all.color_of(rows.first + std::int64_t(r)));
    return colors;
  };
  std::vector<level> made;
  made.emplace_back(sparse(s, all, {.colors = halves * halves * halves, .cut = cut}));
  while(made.size() != levels) {
    const level& fine = made.back();
    const cube coarse{points >> made.size()};
    level next(sparse(fine.m, coarse, [=](std::int64_t row) { return coarse.color_of(row); }));
    s.execute<task::link>(next.m, fine.m, next.below, coarse);
    made.push_back(std::move(next));
  }
  for(const level& l : made)
    s.execute<task::fill>(l.m, l.a, false);
  return made;
}

class solver {
public:
  solver(scheduler& s, std::int64_t points) : s_(s), all_(levels_of(s, points)) {}

  /// Of the finest level.
  void make_dominant() { s_.execute<task::fill>(m_, a_, true); }

  /// How many passes it takes until |r| is that small, and |r|^2 then.
  std::tuple<std::uint64_t, double> solve(double tolerance, bool with_cycles = true) {
    s_.execute<task::right_side>(m_, a_, b_);
    const future<double> first = s_.reduce<task::begin, fold::sum>(m_, x_, r_, p_, b_);
    future<double> rz = make_ready(0.);
    const auto [passes, last] = s_.iterate({.max = 500}, [&] {
      if(with_cycles)
        cycle(0);
      else
        s_.execute<task::copy>(m_, z_, r_);
      const future<double> before = rz;
      rz = s_.reduce<task::dot, fold::sum>(m_, r_, z_);
      s_.execute<task::turn>(m_, p_, z_, rz, before);
      const future<double> pq = s_.reduce<task::apply, fold::sum>(m_, a_, q_, p_);
      const future<double> r2 = s_.reduce<task::advance, fold::sum>(m_, x_, r_, p_, q_, rz, pq);
      const auto is_small = [=](const std::tuple<double, double>& of) {
        return std::get<0>(of) <= tolerance * tolerance * std::get<1>(of);
      };
      return leave_if(when_all(r2, first).then(is_small), r2);
    });
    return {passes.get(), last.get()};
  }
  double error() { return s_.reduce<task::error, fold::max>(m_, x_).get(); }

  /// Of the matrix: |x A y - y A x|, as a part of the norms |x| |A y|.
  double asymmetry_of_matrix() {
    return asymmetry(
      [&](const numbers& to, const numbers& of) { s_.execute<task::multiply>(m_, a_, to, of); });
  }
  double asymmetry_of_cycle() {
    return asymmetry([&](const numbers& to, const numbers& of) {
      s_.execute<task::copy>(m_, r_, of);
      cycle(0);
      s_.execute<task::copy>(m_, to, z_);
    });
  }

private:
  void smooth(const level& l) { s_.execute<task::smooth>(l.m, l.a, l.x, l.right); }
  /// From level k down to the coarsest one, and up again.
  void cycle(std::size_t k) {
    const level& here = all_[k];
    s_.execute<task::clear>(here.m, here.x);
    smooth(here);
    if(k + 1 == all_.size())
      return;
    const level& coarse = all_[k + 1];
    s_.execute<task::restrict>(
      here.m, coarse.m, here.a, here.x, here.right, coarse.below, coarse.right);
    cycle(k + 1);
    s_.execute<task::correct>(here.m, coarse.m, here.x, coarse.below, coarse.x);
    smooth(here);
  }

  double asymmetry(const auto& apply_to) {
    const numbers &x = x_, &y = b_, &ax = q_, &ay = p_;
    s_.execute<task::scatter>(m_, x, 1.7);
    s_.execute<task::scatter>(m_, y, 2.3);
    apply_to(ax, x);
    apply_to(ay, y);
    const auto dot = [&](const numbers& u, const numbers& v) {
      return s_.reduce<task::dot, fold::sum>(m_, u, v);
    };
    const future<double> one = dot(x, ay), other = dot(y, ax), xx = dot(x, x), ayay = dot(ay, ay);
    return std::abs(one.get() - other.get()) / std::sqrt(xx.get() * ayay.get());
  }

  scheduler& s_;
  std::vector<level> all_;
  const sparse& m_ = all_[0].m;
  const matrix& a_ = all_[0].a;
  const numbers &r_ = all_[0].right, &z_ = all_[0].x; // z: what the cycle makes of r
  numbers b_{m_, "b"}, x_{m_, "x"}, p_{m_, "p"}, q_{m_, "q"};
};

/// HPCG's own checks.
bool verify(scheduler& s, std::int64_t points) {
  solver g(s, points);
  const double matrix_off = g.asymmetry_of_matrix();
  const double cycle_off = g.asymmetry_of_cycle();

  const auto [passes, squared] = g.solve(1e-9);
  const bool same = g.solve(1e-9) == std::tuple(passes, squared); // to the last bit
  const double error = g.error();

  g.make_dominant(); // conjugate gradients need a pass for each of ten different numbers, and cycles hardly any
  const std::uint64_t with = std::get<0>(g.solve(1e-12));
  const std::uint64_t without = std::get<0>(g.solve(1e-12, false));

  const bool right =
    matrix_off < 1e-13 && cycle_off < 1e-13 && error < 1e-6 && same && with <= 2 && without <= 12;
  if(s.rank() == 0)
    std::printf("symmetric: the matrix up to %.1e, the cycle up to %.1e\n"
                "%d passes, |r|^2 = %.17g, error %.1e; again %s\n"
                "with a dominant diagonal %d passes, and %d without cycles%s\n",
      matrix_off, cycle_off, int(passes), squared, error, same ? "the same" : "something else",
      int(with), int(without), right ? "" : ": this is wrong, please report it");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t points = 32;
  options o("The problem of HPCG, and its checks.");
  o.argument("POINTS", &points, "along each axis, a multiple of 16").between(16, 1024);
  o.parse(argc, argv);
  if(points % 16 != 0) {
    std::fputs("17_hpcg: POINTS: should be a multiple of 16\n", stderr);
    return 2;
  }
  return rondo::run(
    argc, argv, [&](scheduler& s) { return verify(s, points) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
