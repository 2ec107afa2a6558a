// Conjugate gradients with Jacobi's preconditioner as a program of tasks, with the matrix, the start and the output of
// sparse/by_hand_cg.cpp. Columns are those of the topology; values are a ragged field.
//
//   mpirun -np 2 rondo_sparse_cg --nx 100 --ny 100 --nz 100 --iterations 100

#include "rondo/programs/program.hpp"
#include "sparse/options.hpp"

#include <rondo/sparse.hpp>

#include <cmath>
#include <tuple>
#include <vector>

using namespace rondo;
using bench::sparse::entry;
using bench::sparse::problem;

namespace {

using numbers = field<double>;
using matrix = field<ragged<double>>;

namespace task {

void fill(sparse::view m, matrix::accessor<wo> a, numbers::accessor<wo> right,
  numbers::accessor<wo> inverse, problem p) {
  for(const auto r : m.owned()) {
    const auto row = a(r);
    for(const entry& e : p.row(m.id(r))) {
      row.push_back(e.value);
      if(e.column == m.id(r))
        inverse(r) = 1 / e.value;
    }
    right(r) = p.right(m.id(r));
  }
}

// x = 0; r = b; p = D^-1 r; r D^-1 r.
double begin(sparse::view m, numbers::accessor<wo> x, numbers::accessor<wo> r,
  numbers::accessor<wo> p, numbers::accessor<ro> right, numbers::accessor<ro> inverse) {
  double sum = 0;
  for(const auto i : m.owned()) {
    x(i) = 0;
    r(i) = right(i);
    p(i) = inverse(i) * r(i);
    sum += r(i) * p(i);
  }
  return sum;
}

double row_times(
  sparse::view m, matrix::accessor<ro> a, numbers::accessor<ro, ro> x, element<kind::rows> r) {
  const auto columns = m.columns_of(r);
  const auto values = a(r);
  double sum = 0;
  for(std::size_t k = 0; k != columns.size(); ++k)
    sum += values[k] * x(columns[k]);
  return sum;
}

// q = A p; p q.
double apply(
  sparse::view m, matrix::accessor<ro> a, numbers::accessor<wo> q, numbers::accessor<ro, ro> p) {
  double product = 0;
  for(const auto r : m.owned()) {
    const double sum = row_times(m, a, p, r);
    q(r) = sum;
    product += sum * p(r);
  }
  return product;
}

// r less alpha q; r D^-1 r.
double reduce_residual(sparse::view m, numbers::accessor<rw> r, numbers::accessor<ro> q,
  numbers::accessor<ro> inverse, double alpha) {
  double sum = 0;
  for(const auto i : m.owned()) {
    const double left = r(i) - alpha * q(i);
    r(i) = left;
    sum += inverse(i) * left * left;
  }
  return sum;
}

// x and alpha p, before p turns into D^-1 r and beta p: p is read once for both.
void turn(sparse::view m, numbers::accessor<rw> x, numbers::accessor<rw> p, numbers::accessor<ro> r,
  numbers::accessor<ro> inverse, double alpha, double beta) {
  for(const auto i : m.owned()) {
    x(i) += alpha * p(i);
    p(i) = inverse(i) * r(i) + beta * p(i);
  }
}

// |b - A x|, squared.
double residual(sparse::view m, matrix::accessor<ro> a, numbers::accessor<ro, ro> x,
  numbers::accessor<ro> right) {
  double sum = 0;
  for(const auto r : m.owned()) {
    const double left = right(r) - row_times(m, a, x, r);
    sum += left * left;
  }
  return sum;
}

} // namespace task

using two = std::tuple<double, double>;
double quotient(const two& of) { return std::get<0>(of) / std::get<1>(of); }

// As those who do it by hand cut it: slabs of the box.
sparse_piece rows_of(const problem& p, unsigned part, unsigned parts) {
  sparse_piece made;
  std::vector<std::int64_t> columns;
  for(auto i = p.first_row(part, parts); i != p.first_row(part + 1, parts); ++i) {
    columns.clear();
    for(const entry& e : p.row(i))
      columns.push_back(e.column);
    made.add_row(columns);
  }
  return made;
}
std::vector<color_id> slabs(const problem& p, const uncut_cells& rows, color_id colors) {
  std::vector<color_id> all;
  const std::int64_t plane = p.nx * p.ny;
  for(std::size_t r = 0; r != rows.centers.size(); ++r) {
    const std::int64_t z = (rows.first + static_cast<std::int64_t>(r)) / plane;
    all.push_back(((static_cast<color_id>(z) + 1) * colors - 1) / static_cast<color_id>(p.nz));
  }
  return all;
}

class conjugate_gradient {
public:
  conjugate_gradient(scheduler& s, const problem& p, color_id colors)
      : s_(s), m_(s, [&p](unsigned part, unsigned parts) { return rows_of(p, part, parts); },
                 {.colors = colors, .cut = [&p](auto&, const uncut_cells& rows, color_id n) {
                    return slabs(p, rows, n);
                  }}) {
    s.execute<task::fill>(m_, a_, right_, inverse_, p);
  }

  void restart() { natural_ = s_.reduce<task::begin, fold::sum>(m_, x_, r_, p_, right_, inverse_); }
  void iterate() {
    const future<double> pq = s_.reduce<task::apply, fold::sum>(m_, a_, q_, p_);
    const future<double> alpha = when_all(natural_, pq).then(quotient);
    const future<double> before = natural_;
    natural_ = s_.reduce<task::reduce_residual, fold::sum>(m_, r_, q_, inverse_, alpha);
    s_.execute<task::turn>(
      m_, x_, p_, r_, inverse_, alpha, when_all(natural_, before).then(quotient));
  }

  sparse& rows() { return m_; }
  double natural() { return std::sqrt(natural_.get()); }
  double residual() {
    return std::sqrt(s_.reduce<task::residual, fold::sum>(m_, a_, x_, right_).get());
  }

private:
  scheduler& s_;
  sparse m_;
  matrix a_{m_, "a"};
  numbers right_{m_, "right"}, inverse_{m_, "inverse"};
  numbers x_{m_, "x"}, r_{m_, "r"}, p_{m_, "p"}, q_{m_, "q"};
  future<double> natural_; // r D^-1 r, over all ranks
};

} // namespace

int main(int argc, char** argv) {
  bench::sparse::options o;
  color_id colors = 2;
  bench::arguments args;
  o.add_to(args);
  args.add("--colors", colors, "of each rank").positive();
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    conjugate_gradient g(s, o.box, colors * s.ranks());
    trace t;
    bench::programs::stopwatch time(s);
    for(int rep = -1; rep < o.reps; ++rep) {
      g.restart();
      time.measure([&] {
        for(int k = 0; k != o.iterations; ++k) {
          const auto guard = t.make_guard();
          g.iterate();
        }
      });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    bench::line line = o.describe("Rondo", static_cast<int>(s.ranks()));
    line["threads"] = s.home().workers();
    line["colors"] = g.rows().colors();
    time.report(line, "iteration", o.iterations);
    line["natural"] = g.natural();
    line["residual"] = g.residual();
    bench::programs::print(s, line);
  });
}
