// V cycles as a program of tasks over the levels of a mesh, with the kernels of peers/mpi/multigrid.cpp.
//
//   mpirun -np 2 rondo_multigrid --n 2048 --dimensions 2 --cycles 10

#include "multigrid/kernel.hpp"
#include "rondo/programs/program.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace rondo;
namespace kernel = bench::multigrid;

namespace {

using numbers = field<double>;
using values = numbers::accessor<ro>;
using changed = numbers::accessor<rw>;
using seen = numbers::accessor<ro, still>;

// Calls f(row, rows beside it) of an accessor for a row.
template<class U, class F>
void with_rows(const U& u, const F& f, std::int64_t j) {
  f(u.row(j), u.row(j - 1), u.row(j + 1));
}
template<class U, class F>
void with_rows(const U& u, const F& f, std::int64_t j, std::int64_t k) {
  f(u.row(j, k), u.row(j - 1, k), u.row(j + 1, k), u.row(j, k - 1), u.row(j, k + 1));
}

template<class F>
void for_rows(const structured_view<2>& m, const F& f) {
  for(const auto j : m.interior(1))
    f(j);
}
template<class F>
void for_rows(const structured_view<3>& m, const F& f) {
  for(const auto k : m.interior(2))
    for(const auto j : m.interior(1))
      f(j, k);
}

template<std::size_t D>
struct task {
  using grid = structured<D>;

  static void begin(grid::view m, changed u, changed f) {
    const std::int64_t n = m.mesh().hi[0] - 1;
    for_rows(m, [&](auto j, auto... k) {
      for(const auto i : m.interior(0)) {
        u(i, j, k...) = 0;
        f(i, j, k...) = kernel::source(n, i, j, (k + ... + 0));
      }
    });
  }
  static void relax(grid::view m, numbers::accessor<rw, still> u, values f, bool black) {
    const auto x = m.interior(0);
    for_rows(m, [&](auto... row) {
      const auto first = x.first() + ((x.first() + (row + ...) + (black ? 1 : 0)) & 1);
      with_rows(
        u,
        [&](auto* at, auto*... side) {
          kernel::relax(at, f.row(row...), first, x.last(), std::as_const(side)...);
        },
        row...);
    });
  }
  static void restrict(
    grid::view /*fine*/, grid::view coarse, seen u, values f, changed coarse_u, changed coarse_f) {
    const auto x = coarse.interior(0);
    for_rows(coarse, [&](auto... row) {
      with_rows(
        u,
        [&](auto* at, auto*... side) {
          kernel::restrict_row(coarse_u.row(row...), coarse_f.row(row...), x.first(), x.last(), at,
            f.row((2 * row)...), side...);
        },
        (2 * row)...);
    });
  }
  static void correct(grid::view m, changed u, seen coarse) {
    const auto x = m.interior(0);
    for_rows(m, [&](auto j, auto... k) {
      const auto first = x.first() + ((x.first() + j + (k + ... + 0) + 1) & 1);
      if constexpr(D == 2)
        kernel::correct(u.row(j), first, x.last(), coarse.row(j / 2), coarse.row((j + 1) / 2));
      else
        kernel::correct(u.row(j, k...), first, x.last(), coarse.row(j / 2, (k / 2)...),
          coarse.row((j + 1) / 2, (k / 2)...), coarse.row(j / 2, ((k + 1) / 2)...),
          coarse.row((j + 1) / 2, ((k + 1) / 2)...));
    });
  }
  static double squares(grid::view m, seen u, values f) {
    const auto x = m.interior(0);
    double sum = 0;
    for_rows(m, [&](auto... row) {
      with_rows(
        u,
        [&](auto* at, auto*... side) {
          sum += kernel::squares(at, f.row(row...), x.first(), x.last(), side...);
        },
        row...);
    });
    return sum;
  }
};

template<std::size_t D>
class multigrid {
public:
  multigrid(scheduler& s, std::int64_t n) : s_(s) {
    point<D> extents;
    extents.fill(n + 1);
    levels_.emplace_back(structured<D>(s, {.extents = extents, .diagonals = D == 3}));
    for(; n > 2; n /= 2)
      levels_.emplace_back(levels_.back().mesh.coarsened(2));
  }

  void restart() { s_.execute<task<D>::begin>(levels_[0].mesh, levels_[0].u, levels_[0].f); }
  void cycle(std::size_t k = 0) {
    const level& here = levels_[k];
    if(k + 1 == levels_.size())
      return s_.execute<task<D>::relax>(here.mesh, here.u, here.f, false);
    const level& coarse = levels_[k + 1];
    sweep(here);
    s_.execute<task<D>::restrict>(here.mesh, coarse.mesh, here.u, here.f, coarse.u, coarse.f);
    cycle(k + 1);
    s_.execute<task<D>::correct>(here.mesh, here.u, coarse.u);
    sweep(here);
  }
  double residual() {
    const level& on = levels_[0];
    return std::sqrt(s_.reduce<task<D>::squares, fold::sum>(on.mesh, on.u, on.f).get());
  }
  std::uint64_t colors() const { return levels_[0].mesh.colors(); }

private:
  struct level {
    explicit level(structured<D> of) : mesh(std::move(of)) {}
    structured<D> mesh;
    numbers u{mesh, "u"};
    numbers f{mesh, "f"};
  };
  void sweep(const level& on) {
    for(int i = 0; i != 4; ++i)
      s_.execute<task<D>::relax>(on.mesh, on.u, on.f, i % 2 != 0);
  }

  scheduler& s_;
  std::vector<level> levels_;
};

template<std::size_t D>
void measure(scheduler& s, std::int64_t n, std::uint64_t cycles, int reps, bool is_traced) {
  multigrid<D> g(s, n);
  bench::programs::stopwatch time(s);
  trace t;
  for(int rep = -1; rep < reps; ++rep) {
    g.restart();
    time.measure([&] {
      for(std::uint64_t k = 0; k != cycles; ++k) {
        std::optional<trace::guard> guard;
        if(is_traced)
          guard.emplace(t, s.launches());
        g.cycle();
      }
    });
    if(rep < 0)
      time.forget(); // the first time, to get warm
  }
  bench::line line = {{"program", "rondo"}, {"n", n}, {"dimensions", D}, {"ranks", s.ranks()},
    {"colors", g.colors()}, {"cycles", cycles}};
  time.report(line, "cycle", static_cast<double>(cycles));
  line["mode"] = is_traced ? "trace" : "plain";
  line["residual"] = g.residual();
  bench::programs::print(s, line);
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t n = 2048;
  int dimensions = 2;
  std::uint64_t cycles = 10;
  int reps = 5;
  std::string mode = "trace";
  bench::arguments args;
  args.add("--n", n, "intervals along each axis: a power of two");
  args.add("--dimensions", dimensions, "2 or 3").range(2, 3);
  args.add("--cycles", cycles, "how many, each time from the start");
  args.add("--reps", reps, "repetitions, of which the median is reported");
  args.add("--mode", mode, "plain (repeats are found), or trace").one_of({"plain", "trace"});
  if(const auto status = args.try_parse(argc, argv))
    return *status;
  return rondo::run(argc, argv, [&](scheduler& s) {
    if(dimensions == 2)
      measure<2>(s, n, cycles, reps, mode == "trace");
    else
      measure<3>(s, n, cycles, reps, mode == "trace");
  });
}
