// A matrix from a file, cut as a graph and solved with.
//
//     23_matrix_file [FILE [--tolerance 1e-10] [--colors 0] [--nodes 20000]]
//     mpirun -np 4 23_matrix_file bcsstk17.mtx
//
// FILE is one of Matrix Market, as SuiteSparse has thousands: coordinates, with values, symmetric and positive definite. Each rank
// reads its share of the bytes. Nothing is known of where rows lie, so Rondo cuts them by how they are linked, whatever their order in
// the file. Without a file it is the matrix of a network that is made here. The solver is conjugate gradients with
// Jacobi's preconditioner. The right side is that of a known solution, so its error can be told; the result is right if the residual,
// which is computed once more from the solution, is as small as the tolerance says.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <rondo/options.hpp>
#include <rondo/sparse.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using namespace rondo;
using numbers = field<double>;
using two = std::array<double, 2>;

namespace {

/// What the solution should be.
double known(std::int64_t row) { return 1 + static_cast<double>(row % 7) / 7; }

namespace task {

double row_times(sparse::view m, numbers::accessor<ro, ro> x, sparse::view::row r) {
  const auto columns = m.columns_of(r);
  const auto values = m.values_of(r);
  double sum = 0;
  for(std::size_t k = 0; k != columns.size(); ++k)
    sum += values[k] * x(columns[k]);
  return sum;
}

/// Returns the least number on the diagonal, of which `inverse` keeps the reciprocal.
double invert_diagonal(sparse::view m, numbers::accessor<wo> inverse) {
  double least = std::numeric_limits<double>::infinity();
  for(const auto r : m.owned()) {
    double its = 0; // what is not in the file is 0
    const auto columns = m.columns_of(r);
    for(std::size_t k = 0; k != columns.size(); ++k)
      if(columns[k] == r)
        its = m.values_of(r)[k];
    inverse(r) = 1 / its;
    fold::min(least, its);
  }
  return least;
}
void set_known(sparse::view m, numbers::accessor<wo> x) {
  for(const auto r : m.owned())
    x(r) = known(m.id(r));
}
void multiply(sparse::view m, numbers::accessor<wo> y, numbers::accessor<ro, ro> x) {
  for(const auto r : m.owned())
    y(r) = row_times(m, x, r);
}

/// x = 0, r = b, p = D^-1 r. Returns r D^-1 r and |r|^2.
two begin(sparse::view m, numbers::accessor<ro> b, numbers::accessor<ro> inverse,
  numbers::accessor<wo> x, numbers::accessor<wo> r, numbers::accessor<wo> p) {
  two sums{};
  for(const auto i : m.owned()) {
    x(i) = 0;
    r(i) = b(i);
    p(i) = inverse(i) * b(i);
    sums[0] += b(i) * p(i);
    sums[1] += b(i) * b(i);
  }
  return sums;
}
/// q = A p. Returns p q.
double apply(sparse::view m, numbers::accessor<wo> q, numbers::accessor<ro, ro> p) {
  double sum = 0;
  for(const auto r : m.owned()) {
    const double its = row_times(m, p, r);
    q(r) = its;
    sum += its * p(r);
  }
  return sum;
}
/// x += alpha p, r -= alpha q. Returns r D^-1 r and |r|^2.
two advance(sparse::view m, numbers::accessor<rw> x, numbers::accessor<rw> r,
  numbers::accessor<ro> p, numbers::accessor<ro> q, numbers::accessor<ro> inverse, double alpha) {
  two sums{};
  for(const auto i : m.owned()) {
    x(i) += alpha * p(i);
    r(i) -= alpha * q(i);
    sums[0] += inverse(i) * r(i) * r(i);
    sums[1] += r(i) * r(i);
  }
  return sums;
}
/// p = D^-1 r + beta p.
void turn(sparse::view m, numbers::accessor<rw> p, numbers::accessor<ro> r,
  numbers::accessor<ro> inverse, double beta) {
  for(const auto i : m.owned())
    p(i) = inverse(i) * r(i) + beta * p(i);
}

/// |b - A x|^2.
double residual(sparse::view m, numbers::accessor<ro> b, numbers::accessor<ro, ro> x) {
  double sum = 0;
  for(const auto r : m.owned())
    sum += std::pow(b(r) - row_times(m, x, r), 2);
  return sum;
}
double largest_error(sparse::view m, numbers::accessor<ro> x) {
  double most = 0;
  for(const auto r : m.owned())
    fold::max(most, std::abs(x(r) - known(m.id(r))));
  return most;
}

} // namespace task

struct settings {
  std::string file;
  double tolerance = 1e-10;
  std::uint64_t colors = 0;
  std::int64_t nodes = 20'000;
};

/// A grid whose nodes have numbers as if at random, with a link to the ground at each.
sparse_piece network(std::int64_t nodes, unsigned part, unsigned parts) {
  const auto width = static_cast<std::int64_t>(std::sqrt(static_cast<double>(nodes)));
  // The number of a node is its place times a factor that no other number of nodes has a divisor with.
  constexpr std::int64_t factor = 1'000'003;
  const auto number = [nodes](std::int64_t place) { return place * (factor % nodes) % nodes; };
  std::vector<std::int64_t> place_of(static_cast<std::size_t>(nodes));
  for(std::int64_t p = 0; p != nodes; ++p)
    place_of[static_cast<std::size_t>(number(p))] = p;
  sparse_piece made;
  for(std::int64_t n = nodes * part / parts; n != nodes * (part + 1) / parts; ++n) {
    const std::int64_t place = place_of[static_cast<std::size_t>(n)];
    std::vector<std::int64_t> columns{n};
    for(const std::int64_t other : {place - width, place - 1, place + 1, place + width})
      if(other >= 0 && other < nodes)
        columns.push_back(number(other));
    std::vector<double> values(columns.size(), -1);
    values[0] = static_cast<double>(columns.size()) - 1 + 0.01;
    made.add_row(columns, values);
  }
  return made;
}

sparse matrix_of(scheduler& s, const settings& o) {
  if(!o.file.empty())
    return {s, matrix_market_file(o.file), {.colors = o.colors}};
  return {s, [&o](unsigned part, unsigned parts) { return network(o.nodes, part, parts); },
    {.colors = o.colors}};
}

double quotient(const std::tuple<two, double>& of) { return std::get<0>(of)[0] / std::get<1>(of); }
double quotient_of_sums(const std::tuple<two, two>& of) {
  return std::get<0>(of)[0] / std::get<1>(of)[0];
}

bool solve(scheduler& s, const settings& o) {
  sparse m = matrix_of(s, o);
  if(!m.has_values())
    throw std::runtime_error("'" + o.file + "' is a pattern: its entries have no values");
  numbers x{m, "x"}, b{m, "b"}, inverse{m, "inverse"}, r{m, "r"}, p{m, "p"}, q{m, "q"};
  if(!(s.reduce<task::invert_diagonal, fold::min>(m, inverse).get() > 0))
    throw std::runtime_error(
      "the matrix is not positive definite: its diagonal has a number that is not above 0");
  s.execute<task::set_known>(m, x);
  s.execute<task::multiply>(m, b, x);

  const future<two> at_start = s.reduce<task::begin, fold::sum>(m, b, inverse, x, r, p);
  future<two> sums = at_start;
  const double enough = o.tolerance * o.tolerance;
  const future<std::uint64_t> passes =
    s.iterate({.max = 10 * static_cast<std::uint64_t>(m.count()) + 100}, [&] {
      const future<double> pq = s.reduce<task::apply, fold::sum>(m, q, p);
      const future<double> alpha = when_all(sums, pq).then(quotient);
      const future<two> before = sums;
      sums = s.reduce<task::advance, fold::sum>(m, x, r, p, q, inverse, alpha);
      s.execute<task::turn>(m, p, r, inverse, when_all(sums, before).then(quotient_of_sums));
      return when_all(sums, at_start).then([enough](const std::tuple<two, two>& of) {
        return !(std::get<0>(of)[1] > enough * std::get<1>(of)[1]); // also if it is no number
      });
    });

  const double left = std::sqrt(s.reduce<task::residual, fold::sum>(m, b, x).get());
  const double error = s.reduce<task::largest_error, fold::max>(m, x).get();
  const double right_side = std::sqrt(at_start.get()[1]);
  const bool right = left <= 10 * o.tolerance * right_side; // rounding makes them differ
  if(s.rank() == 0) {
    std::printf("%lld rows, %lld entries, |b| = %.12e\n", static_cast<long long>(m.count()),
      static_cast<long long>(m.entries()), right_side);
    std::printf("%llu passes: |b - A x| / |b| = %.2e, x is wrong by %.2e at the most%s\n",
      static_cast<unsigned long long>(passes.get()), left / right_side, error,
      right ? "" : "; it has not been solved: is A symmetric and positive definite?");
  }
  return right;
}

} // namespace

int main(int argc, char** argv) {
  settings o;
  options all("A matrix from a file, cut as a graph and solved with.");
  all.argument("FILE", &o.file, "of Matrix Market; if not given, a network is made here");
  all.add("tolerance", &o.tolerance, "of the residual, against the right side").between(1e-13, 1);
  all.add("colors", &o.colors, "how many; 0: four for each rank").at_most(1'000'000);
  all.add("nodes", &o.nodes, "of the network").between(4, 1'000'000);
  all.parse(argc, argv);
  return rondo::run(
    argc, argv, [&](scheduler& s) { return solve(s, o) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
