// The problem of HPCG as a program of tasks: conjugate gradients, preconditioned by a V cycle of four levels with a symmetric
// Gauss-Seidel sweep on the way down, on the coarsest level, and on the way up.
//
//   mpirun -np 2 rondo_hpcg --nx=104 --ny=104 --nz=104
//
// Iterations are those of the reference implementation if a rank has one color: a sweep sees rows of other colors as they
// were before it. With more colors it may take more of them, and these count, as HPCG's rules want it.
//
// Levels are matrices with the same colors, so that one task goes through two of them. Work that changes nothing is left out: the
// first sweep of a level begins at 0, and looks at columns before the row only, then behind it only; and what is left of the right side is
// computed only where the coarser level has a row. With --all-work nothing is left out: what the reference does is done, step by step.

#include "rondo/programs/program.hpp"

#include <rondo/sparse.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace rondo;

namespace {

using numbers = field<double>;
using matrix = field<ragged<double>>;
using matrix_row = element<kind::rows>;
using triple = std::array<std::int64_t, 3>;

constexpr int levels = 4;
constexpr std::int64_t coarsest = 1 << (levels - 1); // every so many points of the finest level
constexpr int iterations_of_reference = 50;

std::int64_t product(const triple& of) { return of[0] * of[1] * of[2]; }

// The whole box. Each rank has a box of it, and this is cut into slices along z: colors.
struct cut_box {
  triple points; // of each rank, multiples of `coarsest`
  triple ranks;
  std::int64_t slices; // of each rank

  [[nodiscard]] color_id colors() const { return static_cast<color_id>(product(ranks) * slices); }
  [[nodiscard]] color_id color_of(const triple& at) const {
    const std::int64_t rank =
      at[0] / points[0] + ranks[0] * (at[1] / points[1] + ranks[1] * (at[2] / points[2]));
    const std::int64_t slice = at[2] % points[2] / coarsest * slices / (points[2] / coarsest);
    return static_cast<color_id>(rank * slices + slice);
  }
};

// How many ranks there are along each axis: close to a cube, and rather along x. Iterations depend on it; for 1, 2, 4 and 8 ranks it is what the
// reference takes, and for others it may be another order of the same numbers.
triple grid_of(std::int64_t ranks) {
  triple best{ranks, 1, 1};
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for(std::int64_t x = ranks; x != 0; --x)
    for(std::int64_t y = ranks / x; y != 0; --y)
      if(ranks % (x * y) == 0) {
        const std::int64_t z = ranks / (x * y);
        const std::int64_t surface = x * y + y * z + z * x;
        if(surface < least) {
          least = surface;
          best = {x, y, z};
        }
      }
  return best;
}

// Every `step`th point of the whole box. Rows are numbered along x first.
struct level_box {
  cut_box whole;
  std::int64_t step;

  [[nodiscard]] triple extents() const {
    triple e{};
    for(std::size_t axis = 0; axis != 3; ++axis)
      e[axis] = whole.points[axis] * whole.ranks[axis] / step;
    return e;
  }
  [[nodiscard]] std::int64_t row_at(const triple& at) const {
    const triple e = extents();
    return at[0] + e[0] * (at[1] + e[1] * at[2]);
  }
  [[nodiscard]] triple at(std::int64_t row) const {
    const triple e = extents();
    return {row % e[0], row / e[0] % e[1], row / e[0] / e[1]};
  }
  [[nodiscard]] color_id color_of(std::int64_t row) const {
    triple here = at(row);
    for(std::int64_t& x : here)
      x *= step;
    return whole.color_of(here);
  }
  // The row of the level below, which has points between those of this one.
  [[nodiscard]] std::int64_t finer(std::int64_t row) const {
    const triple here = at(row);
    return level_box{whole, step / 2}.row_at({2 * here[0], 2 * here[1], 2 * here[2]});
  }

  // The point and the up to 26 around it: first those of its own color, then those of others.
  void columns_of(std::int64_t row, std::vector<std::int64_t>& columns) const {
    const triple here = at(row);
    const triple e = extents();
    const color_id color = color_of(row);
    columns.clear();
    for(const bool own : {true, false})
      for(std::int64_t z = here[2] - 1; z <= here[2] + 1; ++z)
        for(std::int64_t y = here[1] - 1; y <= here[1] + 1; ++y)
          for(std::int64_t x = here[0] - 1; x <= here[0] + 1; ++x)
            if(x >= 0 && y >= 0 && z >= 0 && x < e[0] && y < e[1] && z < e[2])
              if(const auto column = row_at({x, y, z}); (color_of(column) == color) == own)
                columns.push_back(column);
  }
  [[nodiscard]] sparse_piece piece(unsigned part, unsigned parts) const {
    const std::int64_t rows = product(extents());
    sparse_piece made;
    std::vector<std::int64_t> columns;
    for(std::int64_t r = rows * part / parts; r != rows * (part + 1) / parts; ++r) {
      columns_of(r, columns);
      made.add_row(columns);
    }
    return made;
  }
};

// Of a row: which of its columns is itself, and how many are of its color. Those before the row come before it, those behind it after it.
struct places {
  std::uint8_t self;
  std::uint8_t own;
};
using all_places = field<places>;

namespace task {

void fill(sparse::view m, matrix::accessor<wo> a, all_places::accessor<wo> at) {
  a.reserve(static_cast<std::size_t>(m.entries()));
  for(const auto r : m.owned()) {
    const auto columns = m.columns_of(r);
    const auto values = a(r);
    places here{};
    for(std::size_t k = 0; k != columns.size(); ++k) {
      const matrix_row column = columns[k];
      if(column == r)
        here.self = static_cast<std::uint8_t>(k);
      if(column < m.owned().size())
        ++here.own;
      values.push_back(column == r ? 26 : -1);
    }
    at(r) = here;
  }
}
// The right side for which all of the solution is 1.
void right_side(sparse::view m, matrix::accessor<ro> a, numbers::accessor<wo> b) {
  for(const auto r : m.owned()) {
    b(r) = 0;
    for(const double value : a(r))
      b(r) += value;
  }
}
// Which rows of the finer level those of this one are.
void link(
  sparse::view coarse, sparse::view fine, field<std::int32_t>::accessor<wo> below, level_box box) {
  for(const auto c : coarse.owned())
    below(c) = static_cast<std::int32_t>(*fine.find(box.finer(coarse.id(c))));
}

// Columns `first` to `last` of a row, times what x is there. In the order from `first` to `last`, which may be the lower one: the row
// that was changed just before should come last, as all others are there already.
double times(const auto& columns, const auto& values, const auto& x, std::size_t first,
  std::size_t last, double sum = 0) {
  if(first <= last)
    for(std::size_t k = first; k != last; ++k)
      sum += values[k] * x(columns[k]);
  else
    for(std::size_t k = first; k != last; --k)
      sum += values[k - 1] * x(columns[k - 1]);
  return sum;
}

// x(r) so that the equation of this row is right, as x is where columns before the row are.
void forward_from_zero(const sparse::view& m, const matrix::accessor<ro>& a,
  const all_places::accessor<ro>& at, const numbers::accessor<wo>& x, double right, matrix_row r) {
  const auto values = a(r);
  const std::size_t self = at(r).self;
  x(r) = (right - times(m.columns_of(r), values, x, 0, self)) / values[self];
}
// The way back after that: what is left of the right side without the columns behind the row is the diagonal times x.
void back_from_zero(const sparse::view& m, const matrix::accessor<ro>& a,
  const all_places::accessor<ro>& at, const numbers::accessor<wo>& x) {
  for(const auto r : std::views::reverse(m.owned())) {
    const auto values = a(r);
    const auto [self, own] = at(r);
    x(r) -= times(m.columns_of(r), values, x, own, self + 1U) / values[self];
  }
}
void smooth_from_zero(sparse::view m, matrix::accessor<ro> a, all_places::accessor<ro> at,
  numbers::accessor<wo> x, numbers::accessor<ro> right) {
  for(const auto r : m.owned())
    forward_from_zero(m, a, at, x, right(r), r);
  back_from_zero(m, a, at, x);
}
// What is left on the finer level is the right side here, where a first sweep begins at 0.
void descend(sparse::view fine, sparse::view m, matrix::accessor<ro> fine_a,
  numbers::accessor<ro, ro> fine_x, numbers::accessor<ro> fine_right, matrix::accessor<ro> a,
  all_places::accessor<ro> at, field<std::int32_t>::accessor<ro> below, numbers::accessor<wo> x,
  numbers::accessor<wo> right) {
  for(const auto r : m.owned()) {
    const matrix_row f(below(r));
    const auto columns = fine.columns_of(f);
    right(r) = fine_right(f) - times(columns, fine_a(f), fine_x, 0, columns.size());
    forward_from_zero(m, a, at, x, right(r), r);
  }
  back_from_zero(m, a, at, x);
}
// The same without a look at what is not needed: x is 0 at first, sweeps take all columns, and A x is there for all rows.
void clear(sparse::view m, numbers::accessor<wo> x) {
  for(const auto r : m.owned())
    x(r) = 0;
}
void multiply(
  sparse::view m, matrix::accessor<ro> a, numbers::accessor<wo> q, numbers::accessor<ro, ro> x) {
  for(const auto r : m.owned()) {
    const auto columns = m.columns_of(r);
    q(r) = times(columns, a(r), x, 0, columns.size());
  }
}
void take_rest(sparse::view /*fine*/, sparse::view m, numbers::accessor<ro> fine_right,
  numbers::accessor<ro> product, field<std::int32_t>::accessor<ro> below,
  numbers::accessor<wo> right) {
  for(const auto r : m.owned()) {
    const matrix_row f(below(r));
    right(r) = fine_right(f) - product(f);
  }
}
void ascend(sparse::view m, field<std::int32_t>::accessor<ro> below, numbers::accessor<ro> x,
  sparse::view /*fine*/, numbers::accessor<rw> fine_x) {
  for(const auto r : m.owned())
    fine_x(matrix_row(below(r))) += x(r);
}
// There and back, all columns. Returns the product of x and the right side.
double smooth(sparse::view m, matrix::accessor<ro> a, all_places::accessor<ro> at,
  numbers::accessor<rw, ro> x, numbers::accessor<ro> right) {
  for(const auto r : m.owned()) {
    const auto columns = m.columns_of(r);
    const auto values = a(r);
    const std::size_t self = at(r).self;
    const double behind = times(columns, values, x, self + 1, columns.size());
    x(r) = (right(r) - times(columns, values, x, 0, self, behind)) / values[self];
  }
  double sum = 0;
  for(const auto r : std::views::reverse(m.owned())) {
    const auto columns = m.columns_of(r);
    const auto values = a(r);
    const auto [self, own] = at(r);
    const double others =
      times(columns, values, x, own, columns.size(), times(columns, values, x, 0, self));
    x(r) = (right(r) - times(columns, values, x, own, self + 1U, others)) / values[self];
    sum += right(r) * x(r);
  }
  return sum;
}
void smooth_only(sparse::view m, matrix::accessor<ro> a, all_places::accessor<ro> at,
  numbers::accessor<rw, ro> x, numbers::accessor<ro> right) {
  smooth(m, a, at, x, right);
}

// x = 0, r = b, p = 0.
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
void turn(
  sparse::view m, numbers::accessor<rw> p, numbers::accessor<ro> z, double now, double before) {
  const double beta = before == 0 ? 0 : now / before;
  for(const auto i : m.owned())
    p(i) = z(i) + beta * p(i);
}
// q = A p; p q.
double apply(
  sparse::view m, matrix::accessor<ro> a, numbers::accessor<wo> q, numbers::accessor<ro, ro> p) {
  double sum = 0;
  for(const auto r : m.owned()) {
    const auto columns = m.columns_of(r);
    q(r) = times(columns, a(r), p, 0, columns.size());
    sum += p(r) * q(r);
  }
  return sum;
}
double advance(sparse::view m, numbers::accessor<rw> x, numbers::accessor<rw> r,
  numbers::accessor<ro> p, numbers::accessor<ro> q, double product, double natural) {
  const double alpha = natural / product;
  double sum = 0;
  for(const auto i : m.owned()) {
    x(i) += alpha * p(i);
    r(i) -= alpha * q(i);
    sum += r(i) * r(i);
  }
  return sum;
}

double error(sparse::view m, numbers::accessor<ro> x) {
  double most = 0;
  for(const auto i : m.owned())
    fold::max(most, std::abs(x(i) - 1));
  return most;
}

} // namespace task

// A matrix, and the fields of a level: what the preconditioner makes of the right side is x.
struct level {
  explicit level(sparse of) : m(std::move(of)) {}

  sparse m;
  matrix a{m, "a"};
  all_places at{m, "places"};
  field<std::int32_t> below{m, "below"}; // rows of the finer level
  numbers x{m, "x of the level"}, right{m, "right side of the level"};
  numbers product{m, "A x of the level"}; // with --all-work
};

std::vector<level> levels_of(scheduler& s, const cut_box& whole) {
  std::vector<level> all;
  for(level_box box{whole, 1}; box.step <= coarsest; box.step *= 2) {
    const auto piece = [box](unsigned part, unsigned parts) { return box.piece(part, parts); };
    const auto color_of = [box](std::int64_t row) { return box.color_of(row); };
    const cut_function cut = [&](auto&, const uncut_cells& rows, color_id) {
      std::vector<color_id> colors;
      for(std::size_t r = 0; r != rows.centers.size(); ++r)
        colors.push_back(color_of(rows.first + static_cast<std::int64_t>(r)));
      return colors;
    };
    if(box.step == 1)
      all.emplace_back(sparse(s, piece, {.colors = whole.colors(), .cut = cut}));
    else
      all.emplace_back(sparse(all.front().m, piece, color_of));
    const level& made = all.back();
    s.execute<task::fill>(made.m, made.a, made.at);
    if(box.step != 1)
      s.execute<task::link>(made.m, all[all.size() - 2].m, made.below, box);
  }
  return all;
}

class solver {
public:
  solver(scheduler& s, const cut_box& whole, bool does_all_work)
      : s_(s), does_all_work_(does_all_work), all_(levels_of(s, whole)) {
    s.execute<task::right_side>(rows(), finest().a, b_);
  }

  void restart() {
    first_ = s_.reduce<task::begin, fold::sum>(rows(), x_, finest().right, p_, b_);
    natural_ = make_ready(0.0);
  }
  void iterate() {
    const future<double> before = natural_;
    natural_ = precondition();
    s_.execute<task::turn>(rows(), p_, finest().x, natural_, before);
    const future<double> product = s_.reduce<task::apply, fold::sum>(rows(), finest().a, q_, p_);
    squared_ =
      s_.reduce<task::advance, fold::sum>(rows(), x_, finest().right, p_, q_, product, natural_);
  }
  // n iterations from 0.
  void solve(int n) {
    restart();
    for(int k = 0; k != n; ++k) {
      const auto guard = iterations_.make_guard();
      iterate();
    }
  }

  const sparse& rows() { return finest().m; }
  // |r|, as a part of what it was at first.
  double residual() { return std::sqrt(squared_.get() / first_.get()); }
  double error() { return s_.reduce<task::error, fold::max>(rows(), x_).get(); }

private:
  level& finest() { return all_.front(); }

  // From the residual, which is the right side of the finest level, to its x. Returns the product of both.
  future<double> precondition() {
    if(does_all_work_)
      descend_with_all_work();
    else
      descend();
    for(std::size_t k = all_.size() - 1; k != 0; --k) {
      const level& f = all_[k - 1];
      const level& c = all_[k];
      s_.execute<task::ascend>(c.m, c.below, c.x, f.m, f.x);
      if(k != 1)
        s_.execute<task::smooth_only>(f.m, f.a, f.at, f.x, f.right);
    }
    return s_.reduce<task::smooth, fold::sum>(
      rows(), finest().a, finest().at, finest().x, finest().right);
  }

  void descend() {
    s_.execute<task::smooth_from_zero>(rows(), finest().a, finest().at, finest().x, finest().right);
    for(std::size_t k = 1; k != all_.size(); ++k) {
      const level& f = all_[k - 1];
      const level& c = all_[k];
      s_.execute<task::descend>(f.m, c.m, f.a, f.x, f.right, c.a, c.at, c.below, c.x, c.right);
    }
  }
  void descend_with_all_work() {
    for(std::size_t k = 0; k != all_.size(); ++k) {
      const level& here = all_[k];
      if(k != 0) {
        const level& f = all_[k - 1];
        s_.execute<task::multiply>(f.m, f.a, f.product, f.x);
        s_.execute<task::take_rest>(f.m, here.m, f.right, f.product, here.below, here.right);
      }
      s_.execute<task::clear>(here.m, here.x);
      s_.execute<task::smooth_only>(here.m, here.a, here.at, here.x, here.right);
    }
  }

  scheduler& s_;
  bool does_all_work_;
  std::vector<level> all_;
  numbers b_{rows(), "b"}, x_{rows(), "x"}, p_{rows(), "p"}, q_{rows(), "q"};
  trace iterations_{"iterations"};
  future<double> natural_, first_, squared_;
};

// Until the residual is what the reference reaches with a color for each rank.
int iterations_as_good_as(double residual, solver& g) {
  g.restart();
  for(int n = 1;; ++n) {
    g.iterate();
    if(g.residual() <= residual)
      return n;
    if(n == 10 * iterations_of_reference)
      throw std::runtime_error("no number of iterations is as good as those of the reference");
  }
}
int iterations_needed(scheduler& s, const cut_box& whole, bool does_all_work, solver& g) {
  if(whole.slices == 1)
    return iterations_of_reference;
  cut_box one_color = whole;
  one_color.slices = 1;
  solver reference(s, one_color, does_all_work);
  reference.solve(iterations_of_reference);
  return iterations_as_good_as(reference.residual(), g);
}

} // namespace

int main(int argc, char** argv) {
  triple points{104, 104, 104};
  std::int64_t colors = 1;
  int iterations = 0;
  bool does_all_work = false;
  bench::arguments args;
  args.add("--nx", points[0], "points of each rank in x, a multiple of 8").range(8, 1 << 16);
  args.add("--ny", points[1], "in y").range(8, 1 << 16);
  args.add("--nz", points[2], "in z").range(8, 1 << 16);
  args.add("--colors", colors, "of each rank, slices of its box along z").range(1, 1 << 13);
  args
    .add("--iterations", iterations,
      "how many are timed; otherwise as many as it takes to be as good as 50 of the reference")
    .non_negative();
  args.add_flag("--all-work", does_all_work, "leaves nothing out that the reference does");
  if(const auto status = args.try_parse(argc, argv))
    return *status;
  for(const std::int64_t n : points)
    if(n % coarsest != 0 || colors > points[2] / coarsest) {
      std::fputs(
        "rondo_hpcg: points of a rank are multiples of 8, and a color has 8 along z at least\n",
        stderr);
      return 2;
    }

  return rondo::run(argc, argv, [&](scheduler& s) {
    const cut_box whole{points, grid_of(s.ranks()), colors};
    bench::programs::stopwatch time(s);
    std::unique_ptr<solver> g;
    time.measure([&] { g = std::make_unique<solver>(s, whole, does_all_work); });
    bench::line line{{"program", does_all_work ? "Rondo, all work" : "Rondo"}, {"ranks", s.ranks()},
      {"threads", s.home().workers()}, {"rows", g->rows().count()},
      {"entries", g->rows().entries()}, {"colors", g->rows().colors()},
      {"ms_setup", 1e-3 * time.last()}};
    if(iterations == 0)
      iterations = iterations_needed(s, whole, does_all_work, *g);
    g->solve(3); // to get warm
    time.measure([&] { g->solve(iterations); });
    line["iterations"] = iterations;
    line["ms_per_iteration"] = 1e-3 * time.last() / iterations;
    line["ms_per_solve"] = 1e-3 * time.last();
    line["scaled_residual"] = g->residual();
    line["error"] = g->error();
    bench::programs::print(s, line);
  });
}
