// Particles in cells by hand: a block of cells for each process, with an array of the particles in them, and a message to and from each
// neighbour in each step.
//
//   mpirun -np 2 peer_mpi_pic --cells 500 --of-cell 4 --steps 100 --grid 1x2

#include "peers/mpi/migration.hpp"
#include "peers/mpi/program.hpp"
#include "pic/kernel.hpp"

#include <algorithm>
#include <array>

namespace {

using namespace bench::mpi;
using bench::pic::coord;
using bench::pic::particle;
using bench::pic::speed;

// Blocks of cells, px * py of them.
struct blocks {
  int px;
  int py;
  coord cells;

  [[nodiscard]] coord x_of(int column) const { return cells * column / px; }
  [[nodiscard]] coord y_of(int row) const { return cells * row / py; }
  [[nodiscard]] int wrapped(int c, int r) const { return (r + py) % py * px + (c + px) % px; }
};

struct fixed_charges {
  const double* at;
  coord x0, y0, stride;
  double operator()(coord i, coord j) const { return at[(j - y0) * stride + (i - x0)]; }
};

class solver {
public:
  solver(const world& w, const blocks& b, coord reach)
      : cells_(b.cells), column_(w.rank % b.px), row_(w.rank / b.px), x0_(b.x_of(column_)),
        x1_(b.x_of(column_ + 1)), y0_(b.y_of(row_)), y1_(b.y_of(row_ + 1)),
        fixed_(static_cast<std::size_t>((x1_ - x0_ + 1) * (y1_ - y0_ + 1))),
        leaving_(neighbours(w, b), 1) {
    if(reach > std::min(cells_ / b.px, cells_ / b.py))
      throw std::runtime_error("particles go farther than to the next block");
    for(coord j = y0_; j != y1_ + 1; ++j)
      for(coord i = x0_; i != x1_ + 1; ++i)
        fixed_[static_cast<std::size_t>((j - y0_) * (x1_ - x0_ + 1) + i - x0_)] =
          bench::pic::fixed_charge(i);
  }

  void create(std::uint64_t of_cell, speed s) {
    all_.clear();
    for(coord j = y0_; j != y1_; ++j)
      for(coord i = x0_; i != x1_; ++i)
        bench::pic::create(i, j, cells_, of_cell, s, [&](const particle& p) { all_.push_back(p); });
  }
  void push() {
    const fixed_charges fixed{fixed_.data(), x0_, y0_, x1_ - x0_ + 1};
    const auto length = static_cast<double>(cells_);
    particle* end = all_.data() + all_.size();
    for(particle* p = all_.data(); p != end;) {
      bench::pic::push(*p, fixed);
      const coord i = bench::pic::cell_of(p->x);
      const coord j = bench::pic::cell_of(p->y);
      bench::pic::wrap(*p, length);
      if(x0_ <= i && i < x1_ && y0_ <= j && j < y1_) {
        ++p;
        continue;
      }
      const std::size_t to = i < x0_ ? 0 : i < x1_ ? 1 : 2;
      const int neighbour = at_[(j < y0_ ? 0 : j < y1_ ? 1 : 2) * 3 + to];
      if(neighbour < 0) { // itself, beyond the end of an axis
        ++p;
        continue;
      }
      leaving_.to(static_cast<std::size_t>(neighbour)).push_back(*p);
      *p = *--end; // and is looked at next
    }
    all_.resize(static_cast<std::size_t>(end - all_.data()));
    leaving_.exchange(all_);
  }
  [[nodiscard]] const std::vector<particle>& all() const { return all_; }

private:
  // Those around, which may be the same one on several sides.
  std::vector<int> neighbours(const world& w, const blocks& b) {
    std::vector<int> ranks;
    for(int dy = -1; dy <= 1; ++dy)
      for(int dx = -1; dx <= 1; ++dx) {
        const int rank = b.wrapped(column_ + dx, row_ + dy);
        int& number = at_[static_cast<std::size_t>(3 * (dy + 1) + dx + 1)];
        number = -1;
        if(rank == w.rank)
          continue;
        number = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
        if(static_cast<std::size_t>(number) == ranks.size())
          ranks.push_back(rank);
      }
    return ranks;
  }

  coord cells_;
  int column_;
  int row_;
  coord x0_, x1_, y0_, y1_;
  std::array<int, 9> at_{};
  std::vector<double> fixed_;
  std::vector<particle> all_;
  migration<particle> leaving_;
};

blocks choose_blocks(const std::string& grid, int ranks, coord cells) {
  blocks b{1, ranks, cells};
  if(!grid.empty() &&
     (std::sscanf(grid.c_str(), "%dx%d", &b.px, &b.py) != 2 || b.px < 1 || b.px * b.py != ranks))
    throw std::runtime_error("no " + grid + " blocks for this number of ranks");
  return b;
}

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    coord cells = 500;
    std::uint64_t of_cell = 4;
    int steps = 100;
    int reps = 5;
    speed v;
    std::string grid;
    bench::arguments args;
    args.add("--cells", cells, "along each axis; an even number").range(2, 1 << 20);
    args.add("--of-cell", of_cell, "particles in each cell").positive();
    args.add("--steps", steps, "how many, each time from the start").positive();
    args.add("--reps", reps, "repetitions, of which the median is reported").positive();
    args.add("-k", v.k, "a step takes a particle over 2 k + 1 cells in x").non_negative();
    args.add("-m", v.m, "and over m in y");
    args.add("--grid", grid, "blocks as 2x1; otherwise rows of cells");
    args.parse(argc, argv);

    const blocks b = choose_blocks(grid, w.size, cells);
    solver g(w, b, std::max(2 * v.k + 1, std::abs(v.m)));
    const auto solve = [&] {
      for(int k = 0; k != steps; ++k)
        g.push();
    };
    stopwatch time;
    for(int rep = -1; rep < reps; ++rep) {
      g.create(of_cell, v);
      if(rep < 0)
        solve(); // the first time, to get warm
      else
        time.measure(solve);
    }
    bench::line line = {{"program", "MPI"}, {"nx", cells}, {"ny", cells}, {"ranks", w.size},
      {"threads", 1}, {"grid", std::to_string(b.px) + "x" + std::to_string(b.py)}, {"steps", steps},
      {"particles", static_cast<std::uint64_t>(cells * cells) * of_cell}};
    time.report(line, "step", steps);
    std::uint64_t wrong = 0;
    std::uint64_t names = 0;
    for(const particle& p : g.all()) {
      wrong += bench::pic::is_in_place(p, cells, steps, v) ? 0U : 1U;
      names += p.name;
    }
    line["wrong"] = static_cast<std::uint64_t>(sum_over_ranks(static_cast<double>(wrong)));
    line["names"] = static_cast<std::uint64_t>(sum_over_ranks(static_cast<double>(names)));
    print(w, line);
  });
}
