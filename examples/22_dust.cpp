// Dust in a box that goes on behind its ends: the wind takes grains from cell to cell, and cells remember who has passed.
//
//     22_dust [BLOCKS]                                    (4)
//     mpirun -np 2 22_dust 2 --keep half.vti --frames dust.pvd
//     mpirun -np 3 22_dust 4 --from half.vti              goes on, with the same bits
//
// A block is 25 steps, each as long as the fastest grain allows: a reduction, whose result tasks of the same pass of `repeat` take. The wind is a field,
// grains are particles, and who has passed is a ragged field: rows of any length. Between blocks all of that is kept in a file, and colors go to
// other ranks, as grains gather here and there. For ParaView there is a cloud of all grains after steps 1, 11, 21, ...

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include <rondo/options.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;

namespace {
using vec = std::array<double, 2>;
struct grain {
  vec x, v;
  double mass;
  std::uint64_t name;
};
using dust = particles<grain>;
using winds = field<vec>;
using names = field<ragged<std::uint64_t>>;
using numbers = field<double>;
using counters = field<std::uint64_t>;

constexpr point<2> cells{64, 48};
constexpr std::uint64_t steps_of_block = 25;

double speed(const grain& g) { return std::hypot(g.v[0], g.v[1]); }

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15U;
  return h ^ h >> 29U;
}
std::uint64_t mix(std::uint64_t h, double x) { return mix(h, std::bit_cast<std::uint64_t>(x)); }

/// Calls `f` for the cells of a color.
template<class F>
void each_cell(const grid::view& m, const F& f) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      f(i, j);
}

namespace task {

void create(grid::view m, winds::accessor<wo> wind, dust::accessor<wo> grains) {
  each_cell(m, [&](std::int64_t i, std::int64_t j) {
    const double x = double(i) / double(cells[0]), y = double(j) / double(cells[1]);
    wind(i, j) = {std::sin(19 * y) + 0.5, std::cos(13 * x + 5 * y)};
    const auto n = std::int64_t(6 * std::exp(-4 * (x + y)) + double((i * 7 + j * 3) % 3 / 2));
    for(std::int64_t k = 0; k < n; ++k) // most of them in one corner
      grains.push_back({{double(i) + (double(k) + 0.5) / double(n), double(j) + 0.5}, {},
        0.2 + 0.3 * double(k % 4), std::uint64_t((j * cells[0] + i) * 16 + k)});
  });
}
double fastest(grid::view /*m*/, dust::accessor<ro> grains) {
  double most = 1; // about as fast as the wind
  for(const grain& g : grains)
    fold::max(most, speed(g));
  return most;
}
void turn(grid::view m, winds::accessor<wo> next, winds::accessor<ro, ro> wind,
  numbers::accessor<ro> time) {
  each_cell(m, [&](std::int64_t i, std::int64_t j) {
    for(std::size_t a = 0; a != 2; ++a) {
      const double around =
        wind(i - 1, j)[a] + wind(i + 1, j)[a] + wind(i, j - 1)[a] + wind(i, j + 1)[a];
      next(i, j)[a] = (8 * wind(i, j)[a] + around) / 12 +
                      0.02 * std::sin(time() + 0.3 * double(i + 2 * j) + 1.5 * double(a));
    }
  });
}
/// Half a cell at most; each grain into the cell where it is then.
void blow(grid::view /*m*/, dust::accessor<rw> grains, winds::accessor<ro> wind,
  names::accessor<rw, fold::append> passed, double fastest) {
  const double dt = 0.5 / (fastest + 1);
  for(grain* g = grains.begin(); g != grains.end();) {
    const point<2> from{std::int64_t(g->x[0]), std::int64_t(g->x[1])};
    point<2> to;
    for(std::size_t a = 0; a != 2; ++a) {
      g->v[a] += (1 - std::exp(-dt / g->mass)) * (wind(from[0], from[1])[a] - g->v[a]);
      g->x[a] += dt * g->v[a];
      to[a] = std::int64_t(std::floor(g->x[a])); // maybe beyond the end of the box: a ghost
      const auto width = double(cells[a]);
      g->x[a] = std::min(g->x[a] - width * std::floor(g->x[a] / width), std::nextafter(width, 0.));
    }
    if(to != from)
      passed(to[0], to[1]).push_back(g->name);
    g = grains.move_to(g, to[0], to[1]);
  }
}
void forget(grid::view m, names::accessor<rw> passed) { // all but the last eight
  each_cell(m, [&](std::int64_t i, std::int64_t j) {
    if(auto row = passed(i, j); row.size() > 8)
      row.erase(row.begin(), row.end() - 8);
  });
}
void advance(
  numbers::accessor<rw> time, counters::accessor<rw> blocks, std::size_t step, double fastest) {
  time() += 0.5 / (fastest + 1);
  blocks() += step + 1 == steps_of_block ? 1U : 0U;
}
double get_time(numbers::accessor<ro> x) { return x(); }
std::uint64_t get_count(counters::accessor<ro> x) { return x(); }
std::size_t count(grid::view /*m*/, dust::accessor<ro> grains) { return grains.size(); }
std::uint64_t bits(
  grid::view m, dust::accessor<ro> grains, winds::accessor<ro> wind, names::accessor<ro> passed) {
  std::uint64_t all = 0;
  for(const grain& g : grains)
    all += mix(mix(mix(mix(mix(g.name, g.x[0]), g.x[1]), g.v[0]), g.v[1]), g.mass);
  each_cell(m, [&](std::int64_t i, std::int64_t j) {
    std::uint64_t h = mix(mix(std::uint64_t(j * cells[0] + i), wind(i, j)[0]), wind(i, j)[1]);
    for(const std::uint64_t name : passed(i, j))
      h = mix(h, name);
    all += h;
  });
  return all;
}

} // namespace task

struct settings {
  std::uint64_t blocks = 4;
  std::string from, keep, frames;
};
bool simulate(scheduler& s, const settings& o) {
  grid m{s, {.extents = cells, .colors = {4, 4}, .periodic = {true, true}, .diagonals = true}};
  winds wind{m, "wind"}, next{m, "next wind"};
  names passed{m, "passed"};
  dust grains{m, "grains"};
  topo::global everywhere{s};
  numbers time{everywhere, "time"};
  counters blocks{everywhere, "blocks"};
  if(o.from.empty())
    s.execute<task::create>(m, wind, grains);
  else
    s.read(o.from, m, wind, passed, grains, time, blocks);
  const auto done = s.reduce<task::get_count, fold::sum>(blocks).get();
  const auto grains_before = s.reduce<task::count, fold::sum>(m, grains);

  std::optional<file_series> frames;
  if(!o.frames.empty())
    frames.emplace(s, o.frames,
      file_series_options{.every = 10, .after = done * steps_of_block, .list_of = ".vtp"});
  for(std::uint64_t block = done; block < o.blocks; ++block) {
    s.repeat(steps_of_block, [&](pass_number step) {
      const future<double> fastest = s.reduce<task::fastest, fold::max>(m, grains);
      s.execute<task::turn>(m, next, wind, time);
      s.copy(next, wind);
      s.execute<task::blow>(m, grains, wind, passed, fastest);
      s.execute<task::forget>(m, passed);
      s.execute<task::advance>(time, blocks, step, fastest);
      if(frames)
        frames->write_cloud<&grain::x, &grain::mass, speed>(
          s.reduce<task::get_time, fold::sum>(time), m, grains);
    });
    if(!o.keep.empty())
      s.write(o.keep, m, wind, passed, grains, time, blocks);
    m.balance();
  }
  const std::size_t grains_after = s.reduce<task::count, fold::sum>(m, grains).get();
  const double seconds = s.reduce<task::get_time, fold::sum>(time).get();
  const std::uint64_t bits = s.reduce<task::bits, fold::sum>(m, grains, wind, passed).get();
  const bool right = grains_after == grains_before.get();
  if(s.rank() == 0)
    std::printf("%zu grains, time %.6f, bits %016llx%s\n", grains_after, seconds,
      static_cast<unsigned long long>(bits),
      right ? "" : ", and some are lost: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  settings o;
  options all("Dust in a box, taken by the wind.");
  all.argument("BLOCKS", &o.blocks, "of 25 steps, in all").between(1, 1'000'000);
  all.add("from", &o.from, "a file to go on from");
  all.add("keep", &o.keep, "a file that is written after each block");
  all.add("frames", &o.frames, "a series of files that ParaView reads, .pvd");
  all.parse(argc, argv);
  return rondo::run(
    argc, argv, [&](scheduler& s) { return simulate(s, o) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
