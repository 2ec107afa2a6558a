// Conjugate gradients with Jacobi's preconditioner by hand: compressed rows, slabs of the box, persistent requests for the ghosts,
// two sums over all ranks in each iteration.
//
//   mpirun -np 2 peer_mpi_sparse_cg --nx 100 --ny 100 --nz 100 --iterations 100

#include "peers/mpi/program.hpp"
#include "peers/mpi/requests.hpp"
#include "sparse/options.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace {

using namespace bench::mpi;
using bench::sparse::entry;
using bench::sparse::problem;
using bench::sparse::row_number;

using number = std::int32_t; // of an own row, or behind these, of a ghost

// A rank's rows of the matrix. Each column is the number of an own row or of a ghost.
struct matrix {
  number rows = 0;
  std::vector<number> begins{0};
  std::vector<number> columns;
  std::vector<double> values;
  // Rows from here to there have no ghosts among their columns.
  number first_inner = 0;
  number last_inner = 0;
};

// What a rank has to tell others: which of its rows each of them sees, in the order of that one's ghosts.
struct seen_by {
  int rank;
  std::vector<number> rim;
  std::size_t ghosts; // seen of that one
};

struct part {
  matrix a;
  std::vector<seen_by> others;
  std::size_t ghosts = 0;
};

// The owner of a row: its part begins there or before, and the next one's behind it.
int owner(const problem& p, row_number i, int ranks) {
  int rank = 0;
  while(p.first_row(rank + 1, ranks) <= i)
    ++rank;
  return rank;
}

part part_of(const problem& p, const world& w) {
  const row_number first = p.first_row(w.rank, w.size);
  const row_number last = p.first_row(w.rank + 1, w.size);
  const auto is_own = [&](row_number i) { return i >= first && i < last; };

  // In the order of rows, so that those of one rank are together. The matrix is symmetric: the rows that have another
  // rank's columns are those which that rank sees.
  std::map<row_number, number> ghosts;
  std::map<int, std::set<number>> rims;
  for(row_number i = first; i != last; ++i)
    for(const entry& e : p.row(i))
      if(!is_own(e.column)) {
        ghosts[e.column] = 0;
        rims[owner(p, e.column, w.size)].insert(static_cast<number>(i - first));
      }
  part made;
  made.a.rows = static_cast<number>(last - first);
  made.ghosts = ghosts.size();
  for(auto& [rank, rim] : rims)
    made.others.push_back({rank, {rim.begin(), rim.end()}, 0});
  number next = made.a.rows;
  auto of = made.others.begin();
  for(auto& [i, at] : ghosts) {
    at = next++;
    while(of->rank != owner(p, i, w.size))
      ++of;
    ++of->ghosts;
  }

  matrix& a = made.a;
  std::vector<bool> is_inner;
  for(row_number i = first; i != last; ++i) {
    is_inner.push_back(true);
    for(const entry& e : p.row(i)) {
      const bool own = is_own(e.column);
      a.columns.push_back(own ? static_cast<number>(e.column - first) : ghosts.at(e.column));
      a.values.push_back(e.value);
      if(!own)
        is_inner.back() = false;
    }
    a.begins.push_back(static_cast<number>(a.columns.size()));
  }
  // From the middle of the slab to both sides.
  a.first_inner = a.last_inner = a.rows / 2;
  while(a.first_inner > 0 && is_inner[static_cast<std::size_t>(a.first_inner) - 1])
    --a.first_inner;
  while(a.last_inner < a.rows && is_inner[static_cast<std::size_t>(a.last_inner)])
    ++a.last_inner;
  return made;
}

// What others own comes behind what is owned here.
class ghosts {
public:
  ghosts(const part& of, double* values) : values_(values) {
    double* into = values + of.a.rows;
    for(const seen_by& s : of.others) {
      out_.emplace_back(&s.rim, std::vector<double>(s.rim.size()));
      requests_.add_send(out_.back().second.data(), sizeof(double) * s.rim.size(), s.rank, 1);
      requests_.add_receive(into, sizeof(double) * s.ghosts, s.rank, 1);
      into += s.ghosts;
    }
  }
  void start() {
    for(auto& [rim, values] : out_)
      for(std::size_t k = 0; k != values.size(); ++k)
        values[k] = values_[(*rim)[k]];
    requests_.start();
  }
  void progress() { requests_.progress(); }
  void finish() { requests_.finish(); }

private:
  double* values_;
  std::vector<std::pair<const std::vector<number>*, std::vector<double>>> out_;
  requests requests_;
};

class conjugate_gradient {
public:
  conjugate_gradient(const problem& p, const world& w)
      : part_(part_of(p, w)), x_(own()), r_(own()), q_(own()), right_(own()), inverse_(own()),
        p_(own() + part_.ghosts), halo_(part_, p_.data()) {
    const row_number first = p.first_row(w.rank, w.size);
    for(std::size_t i = 0; i != own(); ++i) {
      const row_number of = first + static_cast<row_number>(i);
      right_[i] = p.right(of);
      for(const entry& e : p.row(of))
        if(e.column == of)
          inverse_[i] = 1 / e.value;
    }
  }

  void solve(int iterations) {
    double natural = 0;
    for(std::size_t i = 0; i != own(); ++i) {
      x_[i] = 0;
      r_[i] = right_[i];
      p_[i] = inverse_[i] * r_[i];
      natural += r_[i] * p_[i];
    }
    natural_ = sum_over_ranks(natural);
    for(int k = 0; k != iterations; ++k)
      iterate();
  }

  // |b - A x|, and what the iteration has computed.
  [[nodiscard]] double residual() {
    std::copy(x_.begin(), x_.end(), p_.begin());
    apply();
    double sum = 0;
    for(std::size_t i = 0; i != own(); ++i)
      sum += (right_[i] - q_[i]) * (right_[i] - q_[i]);
    return std::sqrt(sum_over_ranks(sum));
  }
  [[nodiscard]] double natural() const { return std::sqrt(natural_); }

private:
  void iterate() {
    const double alpha = natural_ / sum_over_ranks(apply());
    const double natural = sum_over_ranks(reduce_residual(alpha));
    const double beta = natural / natural_;
    natural_ = natural;
    turn(alpha, beta);
  }

  // q = A p, and this rank's part of their product. The ghosts of p travel while the inner rows are worked on.
  double apply() {
    const matrix& a = part_.a;
    halo_.start();
    double sum = 0;
    constexpr number at_once = 50'000; // rows between two looks at the messages
    for(number first = a.first_inner; first < a.last_inner; first += at_once) {
      sum += apply(first, std::min(first + at_once, a.last_inner));
      halo_.progress();
    }
    halo_.finish();
    return sum + apply(0, a.first_inner) + apply(a.last_inner, a.rows);
  }
  double apply(number first, number last) {
    const number* const begins = part_.a.begins.data();
    const number* const columns = part_.a.columns.data();
    const double* const values = part_.a.values.data();
    const double* const p = p_.data();
    double* const q = q_.data();
    double product = 0;
    for(number i = first; i < last; ++i) {
      double sum = 0;
      for(number k = begins[i]; k != begins[i + 1]; ++k)
        sum += values[k] * p[columns[k]];
      q[i] = sum;
      product += sum * p[i];
    }
    return product;
  }

  // r less alpha q, and this rank's part of r D^-1 r.
  double reduce_residual(double alpha) {
    const double* const q = q_.data();
    const double* const inverse = inverse_.data();
    double* const r = r_.data();
    double sum = 0;
    for(number i = 0; i != part_.a.rows; ++i) {
      r[i] -= alpha * q[i];
      sum += inverse[i] * r[i] * r[i];
    }
    return sum;
  }

  // x and alpha p, before p turns into D^-1 r and beta p: p is read once for both.
  void turn(double alpha, double beta) {
    const double* const r = r_.data();
    const double* const inverse = inverse_.data();
    double* const x = x_.data();
    double* const p = p_.data();
    for(number i = 0; i != part_.a.rows; ++i) {
      x[i] += alpha * p[i];
      p[i] = inverse[i] * r[i] + beta * p[i];
    }
  }

  [[nodiscard]] std::size_t own() const { return static_cast<std::size_t>(part_.a.rows); }

  part part_;
  std::vector<double> x_;
  std::vector<double> r_;
  std::vector<double> q_;
  std::vector<double> right_;
  std::vector<double> inverse_; // of the diagonal
  std::vector<double> p_;       // with ghosts
  ghosts halo_;
  double natural_ = 0; // r D^-1 r, over all ranks
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    bench::sparse::options o;
    o.parse(argc, argv);
    conjugate_gradient g(o.box, w);
    stopwatch time;
    g.solve(o.iterations); // to get warm
    for(int rep = 0; rep < o.reps; ++rep)
      time.measure([&] { g.solve(o.iterations); });
    bench::line line = o.describe("MPI", w.size);
    time.report(line, "iteration", o.iterations);
    line["natural"] = g.natural();
    line["residual"] = g.residual();
    print(w, line);
  });
}
