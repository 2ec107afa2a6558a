// Waves in shallow water: a time step that depends on the fastest wave, files for ParaView, and going on from a file.
//
//     11_shallow_water --points 400 --time 0.5 --output waves.pvd --picture last.png
//     mpirun -np 4 11_shallow_water --passes 50 --save half.vti
//     mpirun -np 2 11_shallow_water --passes 50 --from half.vti
//
// A drop falls into a square basin whose opposite edges are glued together. The state of a point is the height of the water and its
// momentum along both axes; fluxes between points are those of Rusanov. Nothing in the loop waits: the time, the time step, and whether
// it is time to stop are futures or fields, and files are written while the loop goes on.
//
// What is checked: no water is lost. A run that ends early and goes on from a file, on another number of ranks, ends with the same bits
// as one that does all passes: they are printed as a sum. So are its files: the series of the first part goes on.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <rondo/options.hpp>
#include <rondo/rondo.hpp>
#include <string>

using namespace rondo;
using grid = structured<2>;
using state = std::array<double, 3>; // height, momentum along axis 0, along axis 1
using states = field<state>;
using numbers = field<double>;
using counter = field<std::uint64_t>;

namespace {

struct files {
  std::string from, save, output, picture;
};

struct problem {
  std::int64_t points = 200;
  double until = 0.2;
  std::uint64_t passes = 1'000'000;
  [[nodiscard]] double width() const { return 1 / double(points); }
};

constexpr double gravity = 1, courant = 0.4; // of the time of the fastest wave to the next point

double speed(const state& q, std::size_t axis) {
  return std::abs(q[axis + 1] / q[0]) + std::sqrt(gravity * q[0]);
}

state flux(const state& q, std::size_t axis) {
  const double u = q[axis + 1] / q[0];
  state f{q[axis + 1], q[1] * u, q[2] * u};
  f[axis + 1] += gravity * q[0] * q[0] / 2;
  return f;
}

/// From `a` to its neighbour `b`.
state between(const state& a, const state& b, std::size_t axis) {
  const state fa = flux(a, axis), fb = flux(b, axis);
  const double fastest = std::max(speed(a, axis), speed(b, axis));
  state f;
  for(std::size_t k = 0; k != 3; ++k)
    f[k] = (fa[k] + fb[k] - fastest * (b[k] - a[k])) / 2;
  return f;
}

namespace task {

void begin(grid::view m, states::accessor<wo> q, problem p) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0)) {
      const double x = (double(i) + 0.5) * p.width() - 0.5, y = (double(j) + 0.5) * p.width() - 0.5;
      q(i, j) = {1 + 0.5 * std::exp(-100 * (x * x + y * y)), 0, 0};
    }
}

double fastest(grid::view m, states::accessor<ro> q) {
  double most = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      for(std::size_t axis = 0; axis != 2; ++axis)
        fold::max(most, speed(q(i, j), axis));
  return most;
}

/// Over global fields: on every rank. The last step ends just there; steps behind it have no length. If
/// the fastest wave is no number (NaN), neither is the step, nor the time: the order of operands matters.
void choose(numbers::accessor<rw> dt, numbers::accessor<rw> time, double fastest, problem p) {
  dt() = std::max(std::min(courant * p.width() / fastest, p.until - time()), 0.0);
  time() += dt();
}
void count(counter::accessor<rw> passes) { ++passes(); }
double get(numbers::accessor<ro> x) { return x(); }
std::uint64_t get_count(counter::accessor<ro> x) { return x(); }

void step(grid::view m, states::accessor<wo> to, states::accessor<ro, ro> q,
  numbers::accessor<ro> dt, problem p) {
  const double part = dt() / p.width();
  for(auto j : m.owned(1))
    for(auto i : m.owned(0)) {
      const state left = between(q(i - 1, j), q(i, j), 0), right = between(q(i, j), q(i + 1, j), 0);
      const state down = between(q(i, j - 1), q(i, j), 1), up = between(q(i, j), q(i, j + 1), 1);
      for(std::size_t k = 0; k != 3; ++k)
        to(i, j)[k] = q(i, j)[k] - part * ((right[k] - left[k]) + (up[k] - down[k]));
    }
}

void copy(grid::view m, states::accessor<ro> q, numbers::accessor<wo> height) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      height(i, j) = q(i, j)[0];
}

double water(grid::view m, states::accessor<ro> q) {
  double sum = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      sum += q(i, j)[0];
  return sum;
}

/// Each point adds its bits: the order does not matter.
std::uint64_t bits(grid::view m, states::accessor<ro> q) {
  std::uint64_t sum = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      for(const double x : q(i, j))
        sum += std::bit_cast<std::uint64_t>(x) * (2 * std::uint64_t(i + 7919 * j) + 1);
  return sum;
}

void report(std::uint64_t passes, double time, double lost, std::uint64_t sum) {
  std::printf("time %.6g after %llu passes of two steps; water lost: %.1e; bits %016llx\n", time,
    static_cast<unsigned long long>(passes), lost, static_cast<unsigned long long>(sum));
}

} // namespace task

int simulate(scheduler& s, const problem& p, const files& file) {
  const grid m{s, {.extents = {p.points, p.points}, .periodic = {true, true}}};
  states q{m, "q"}, next{m, "next"};
  const topo::global here{s};
  numbers height{m, "height"}, time{here, "time"}, dt{here, "dt"};
  counter passes{here, "passes"};
  const mesh_in_space where{{}, {p.width(), p.width(), 1}};

  if(file.from.empty())
    s.execute<task::begin>(m, q, p);
  else
    s.read(file.from, m, q, time, passes);
  const future<double> before = s.reduce<task::water, fold::sum>(m, q);
  std::optional<file_series> frames;
  if(!file.output.empty()) {
    const std::uint64_t done = // what has been written until then
      file.from.empty() ? 0 : s.reduce<task::get_count, fold::sum>(passes).get();
    frames.emplace(s, file.output, file_series_options{.every = 10, .where = where, .after = done});
  }
  progress_line how_far{s, {.until = p.until, .points = std::uint64_t(2 * p.points * p.points)}};
  const future<std::uint64_t> ran = s.iterate({.max = p.passes}, [&] {
    for(int k = 0; k != 2; ++k) { // there and back
      s.execute<task::choose>(dt, time, s.reduce<task::fastest, fold::max>(m, q), p);
      s.execute<task::step>(m, k == 0 ? next : q, k == 0 ? q : next, dt, p);
    }
    s.execute<task::count>(passes);
    const future<double> now = s.reduce<task::get, fold::sum>(time);
    if(frames) {
      s.execute<task::copy>(m, q, height);
      frames->write(now, m, height);
    }
    how_far.show(now);
    return now.then([p](double t) { return !(t < p.until); }); // also if it is no number
  });

  const future<double> end = s.reduce<task::get, fold::sum>(time);
  if(!file.save.empty())
    s.write(file.save, {.where = where, .time = end}, m, q, time, passes);
  s.execute<task::copy>(m, q, height);
  if(!file.picture.empty())
    s.write(file.picture, m, height);
  const double lost =
    std::abs(s.reduce<task::water, fold::sum>(m, q).get() - before.get()) / before.get();
  s.execute<task::report>(ran, end, lost, s.reduce<task::bits, fold::sum>(m, q));
  return lost < 1e-12 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  problem p;
  files file;
  options o("Waves in shallow water.");
  o.add("points", &p.points, "along each edge").between(8, 100'000);
  o.add("time", &p.until, "when to stop").between(0, 1e6);
  o.add("passes", &p.passes, "of two steps each, in this run at most").at_least(1);
  o.add("from", &file.from, "go on from this file: .vti or .vtkhdf");
  o.add("save", &file.save, "write the last state there");
  o.add("output", &file.output, "heights, every tenth pass: NAME.pvd for ParaView");
  o.add("picture", &file.picture, "the last heights: .png");
  o.parse(argc, argv);
  return rondo::run(argc, argv, [&](scheduler& s) { return simulate(s, p, file); });
}
