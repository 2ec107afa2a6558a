// A pollutant in a channel: finite volumes, in which each face is looked at once.
//
//     15_pollutant [CELLS [TIME]] [--file last.vti]        (60 2)
//     mpirun -np 4 15_pollutant 300
//
// The channel is periodic along axis 0 and has walls along axis 1. The flow through a face leaves one cell and comes into the other one, which may be
// another color's: tasks *contribute* to it. So nothing gets lost, to the last bits. The water carries the pollutant, which is of
// second order and looks two cells far; then it diffuses in three sweeps, which look one cell far.
//
// What is checked: the mass is kept, and MPI, which a task calls every tenth step, has the same as Rondo.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <numbers>
#include <rondo/options.hpp>
#include <rondo/rondo.hpp>
#include <string>
#include <tuple>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

namespace {

constexpr double diffusivity = 2e-3;
constexpr std::array<double, 3> shares{0.5, 0.3, 0.2}; // of a step's diffusion, by sweep

/// The channel is 1 wide and 8/5 long.
struct channel {
  std::int64_t cells; // across
  [[nodiscard]] double h() const { return 1 / double(cells); }
  [[nodiscard]] std::int64_t along() const { return 8 * cells / 5; }

  /// At the lower left corner of a cell. The flow through a face is a difference of it, so that as much comes as goes.
  [[nodiscard]] double stream(std::int64_t i, std::int64_t j, double t) const {
    const double x = double(i) / double(along()), y = double(j) * h();
    return (1 + 0.5 * std::sin(9 * t)) *
           (y * y / 2 - y * y * y / 3 +
             0.08 * std::sin(std::numbers::pi * y) * std::sin(2 * std::numbers::pi * x));
  }
  [[nodiscard]] double right(std::int64_t i, std::int64_t j, double t) const {
    return (stream(i, j + 1, t) - stream(i, j, t)) / h();
  }
  [[nodiscard]] double up(std::int64_t i, std::int64_t j, double t) const {
    return (stream(i, j, t) - stream(i + 1, j, t)) / h();
  }
};

double lesser(double a, double b) { return a * b <= 0 ? 0 : std::abs(a) < std::abs(b) ? a : b; }

/// What goes with that speed through the face between b and c of the row a, b, c, d; `part` is the step in widths of a cell.
double carried(double a, double b, double c, double d, double speed, double part) {
  return speed > 0 ? speed * (b + (1 - speed * part) / 2 * lesser(b - a, c - b))
                   : speed * (c - (1 + speed * part) / 2 * lesser(c - b, d - c));
}

namespace task {

void begin(grid::view m, numbers::accessor<wo> c, channel w) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      c(i, j) =
        std::hypot((double(i) + 0.5) * w.h() - 0.4, (double(j) + 0.5) * w.h() - 0.4) < 0.2 ? 1 : 0;
}

double fastest(grid::view m, double t, channel w) {
  double most = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      fold::max(most, std::abs(w.right(i, j, t)) + std::abs(w.up(i, j, t)));
  return most;
}

/// The faces to the left of cells and below them.
void carry(grid::view m, numbers::accessor<wo, fold::sum> to, numbers::accessor<ro, ro> c, double t,
  double step, channel w) {
  const double part = step / w.h();
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      to(i, j) = c(i, j);
  for(auto j : m.owned(1))
    for(auto i : m.owned(0)) {
      const double x =
        part * carried(c(i - 2, j), c(i - 1, j), c(i, j), c(i + 1, j), w.right(i, j, t), part);
      to(i - 1, j) -= x;
      to(i, j) += x;
      if(j == 0)
        continue;
      // Beyond walls it is as it is there.
      const auto below = std::max<std::int64_t>(j - 2, 0), above = std::min(j + 1, w.cells - 1);
      const double y =
        part * carried(c(i, below), c(i, j - 1), c(i, j), c(i, above), w.up(i, j, t), part);
      to(i, j - 1) -= y;
      to(i, j) += y;
    }
}

void spread(grid::view m, numbers::accessor<wo, fold::sum> to, numbers::accessor<ro, ro, 1> c,
  double step, std::size_t sweep, channel w) {
  const double part = shares[sweep] * diffusivity * step / (w.h() * w.h());
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      to(i, j) = c(i, j);
  for(auto j : m.owned(1))
    for(auto i : m.owned(0)) {
      const double x = part * (c(i - 1, j) - c(i, j));
      to(i - 1, j) -= x;
      to(i, j) += x;
      if(j == 0)
        continue;
      const double y = part * (c(i, j - 1) - c(i, j));
      to(i, j - 1) -= y;
      to(i, j) += y;
    }
}

double mass(grid::view m, numbers::accessor<ro> c, channel w) {
  double sum = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      sum += w.h() * w.h() * c(i, j);
  return sum;
}
double mass_by_mpi(
  MPI_Comm comm, per_color<grid::view> m, per_color<numbers::accessor<ro>> c, channel w) {
  double here = 0, all = 0;
  for(std::size_t k = 0; k != m.size(); ++k)
    here += mass(m[k], c[k], w);
  MPI_Allreduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

void watch(numbers::accessor<rw> most, double there) { fold::max(most(), there); }
void compare(numbers::accessor<rw> difference, double by_mpi, double by_rondo) {
  fold::max(difference(), std::abs(by_mpi / by_rondo - 1));
}
double get(numbers::accessor<ro> x) { return x(); }

} // namespace task

/// Returns whether all is right.
bool simulate(scheduler& s, channel w, double until, const std::string& file) {
  // Named colors: then all results have the same bits on any number of ranks.
  const grid m{
    s, {.extents = {w.along(), w.cells}, .colors = {4, 3}, .halo = 2, .periodic = {true, false}}};
  const topo::global one{s};
  numbers c{m, "c"}, next{m, "next", {.halo = 1}}; // tasks add to the one, and read the other
  numbers most{one, "most"}, difference{one, "difference"};
  s.execute<task::begin>(m, c, w);
  const future<double> before = s.reduce<task::mass, fold::sum>(m, c, w);

  future<double> time = make_ready(0.0);
  const auto [steps, end] = s.iterate({.max = 1'000'000}, [&](std::uint64_t pass) {
    const future<double> speed = s.reduce<task::fastest, fold::max>(m, time, w);
    const future<double> step =
      when_all(time, speed).then([=](const std::tuple<double, double>& of) {
        const auto [now, fastest] = of;
        return std::min({0.4 * w.h() / fastest, 0.2 * w.h() * w.h() / diffusivity, until - now});
      });
    s.execute<task::carry>(m, next, c, time, step, w);
    s.copy(next, c);
    s.repeat(shares.size(), [&](pass_number sweep) {
      s.execute<task::spread>(m, next, c, step, sweep, w);
      s.copy(next, c);
    });
    s.execute<task::watch>(most, s.from(point<2>{w.cells, w.cells / 2}, c));
    if(pass % 10 == 0) {
      const future<double> by_mpi = s.execute_mpi<task::mass_by_mpi>(m, c, w);
      s.execute<task::compare>(difference, by_mpi, s.reduce<task::mass, fold::sum>(m, c, w));
    }
    time = when_all(time, step).then([](const std::tuple<double, double>& of) {
      return std::get<0>(of) + std::get<1>(of);
    });
    return leave_if(time.then([=](double t) { return !(t < until * (1 - 1e-12)); }), time);
  });
  if(!file.empty())
    s.write(file, {.where = {.spacing = {w.h(), w.h()}}, .time = end}, m, c);

  const double lost = 1 - s.reduce<task::mass, fold::sum>(m, c, w).get() / before.get();
  const double largest = s.reduce<task::get, fold::sum>(most).get();
  const bool right =
    std::abs(lost) < 1e-12 && s.reduce<task::get, fold::sum>(difference).get() < 1e-12;
  if(s.rank() == 0)
    std::printf("%d steps; at most %.17g came to the middle, and %.1g of the mass was lost%s\n",
      int(steps.get()), largest, std::abs(lost),
      right ? "" : ", or MPI has another one: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t cells = 60;
  double until = 2;
  std::string file;
  options o("A pollutant in a channel, in finite volumes.");
  o.argument("CELLS", &cells, "across the channel").between(10, 100'000);
  o.argument("TIME", &until, "until when").between(0, 1000);
  o.add("file", &file, "how it is at the end: .vti, .h5, .png");
  o.parse(argc, argv);
  return rondo::run(argc, argv,
    [&](scheduler& s) { return simulate(s, {cells}, until, file) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
