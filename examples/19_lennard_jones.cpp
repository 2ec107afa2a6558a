// A liquid of atoms that attract and repel each other: molecular dynamics with cells, whose energy stays what it was.
//
//     19_lennard_jones [UNITS [STEPS [FILE]]]            (8 100)
//     mpirun -np 4 19_lennard_jones 20 500 atoms.pvd
//
// 4 UNITS^3 atoms in a periodic box, density 0.8442, with the potential of Lennard and Jones up to a distance of 2.5; velocity Verlet. Each cell of the
// mesh, no narrower than that distance, has the atoms that are in it: a row of a ragged field. So an atom meets those of its own cell and of the 26
// around, some of which are ghosts; and when it moves it goes to the row of another cell, whoever owns that. Into FILE goes where the atoms are after each tenth
// step, for ParaView.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include <rondo/options.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<3>;

namespace {

using vec = std::array<double, 3>;
struct atom {
  vec x, v, a; ///< Position, velocity, acceleration.
};
using atoms = field<ragged<atom>>;
double speed(const atom& a) {
  return std::sqrt(a.v[0] * a.v[0] + a.v[1] * a.v[1] + a.v[2] * a.v[2]);
}

constexpr double cutoff = 2.5;
constexpr double dt = 0.004;

struct liquid {
  std::int64_t units;

  [[nodiscard]] double width() const {
    return double(units) * std::cbrt(4 / 0.8442); // four atoms for each unit
  }
  [[nodiscard]] std::int64_t cells() const { return std::int64_t(width() / cutoff); }
  [[nodiscard]] std::int64_t cell_of(double x) const {
    return std::int64_t(std::floor(x / width() * double(cells())));
  }
};

/// Between -1 and 1, from a number.
double hashed(std::uint64_t n) {
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
  n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
  return double((n ^ (n >> 31)) >> 11) * 0x1p-52 - 1;
}

namespace task {

/// Atoms of a crystal. Two of the four of a unit fly in the directions opposite to those of the other two, so that the liquid stays where it is.
void place(grid::view m, atoms::accessor<wo> a, liquid all) {
  constexpr double places[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  const double fast = std::sqrt(3 * 0.72);
  const double unit = all.width() / double(all.units);
  for(std::int64_t n = 0; n != all.units * all.units * all.units; ++n) {
    const std::int64_t of[] = {n % all.units, n / all.units % all.units, n / all.units / all.units};
    for(std::uint64_t k = 0; k != 4; ++k) {
      atom made{};
      for(std::size_t d = 0; d != 3; ++d) {
        made.x[d] = (double(of[d]) + places[k][d] + 0.25) * unit;
        made.v[d] = (k % 2 == 0 ? fast : -fast) *
                    hashed(std::uint64_t(n) * 6 + k / 2 * 3 + d + 0x9e3779b97f4a7c15);
      }
      const point<3> cell{all.cell_of(made.x[0]), all.cell_of(made.x[1]), all.cell_of(made.x[2])};
      if(m.owned().contains(cell))
        a(cell[0], cell[1], cell[2]).push_back(made);
    }
  }
}

/// Half of a step for velocities, and positions; each atom into the row of its new cell.
void drift(
  grid::view m, atoms::accessor<ro> from, atoms::accessor<wo, fold::append> to, liquid all) {
  const double width = all.width();
  m.owned().for_each_row([&](const point<3>& first, std::int64_t length) {
    for(std::int64_t i = 0; i != length; ++i)
      to(first[0] + i, first[1], first[2]).clear();
  });
  m.owned().for_each_row([&](const point<3>& first, std::int64_t length) {
    for(std::int64_t i = 0; i != length; ++i)
      for(atom a : from(first[0] + i, first[1], first[2])) {
        point<3> cell;
        for(std::size_t d = 0; d != 3; ++d) {
          a.v[d] += dt / 2 * a.a[d];
          a.x[d] += dt * a.v[d];
          cell[d] = all.cell_of(a.x[d]); // maybe beyond the end of the box: a ghost
          a.x[d] -= width * std::floor(a.x[d] / width);
        }
        to(cell[0], cell[1], cell[2]).push_back(a);
      }
  });
}

/// Forces, and the other half for velocities. Returns the energy.
double force(grid::view m, atoms::accessor<rw, ro> all_atoms, liquid all) {
  const double width = all.width();
  const double inverse = 1 / width;
  const double at_cutoff = 4 * (std::pow(cutoff, -12) - std::pow(cutoff, -6));
  double energy = 0;
  m.owned().for_each_row([&](const point<3>& first, std::int64_t length) {
    for(std::int64_t i = first[0]; i != first[0] + length; ++i)
      for(atom& a : all_atoms(i, first[1], first[2])) {
        vec f{};
        double potential = 0;
        for(std::int64_t z = first[2] - 1; z <= first[2] + 1; ++z)
          for(std::int64_t y = first[1] - 1; y <= first[1] + 1; ++y)
            for(std::int64_t x = i - 1; x <= i + 1; ++x)
              for(const atom& b : all_atoms(x, y, z)) {
                vec way;
                double r2 = 0;
                for(std::size_t d = 0; d != 3; ++d) {
                  way[d] = a.x[d] - b.x[d];
                  way[d] -= width * std::nearbyint(way[d] * inverse);
                  r2 += way[d] * way[d];
                }
                if(r2 == 0 || r2 >= cutoff * cutoff)
                  continue;
                const double i6 = 1 / (r2 * r2 * r2);
                potential += 4 * i6 * (i6 - 1) - at_cutoff;
                for(std::size_t d = 0; d != 3; ++d)
                  f[d] += 24 * i6 * (2 * i6 - 1) / r2 * way[d];
              }
        energy += potential / 2; // the other half is the other one's
        for(std::size_t d = 0; d != 3; ++d) {
          a.a[d] = f[d];
          a.v[d] += dt / 2 * f[d];
          energy += a.v[d] * a.v[d] / 2;
        }
      }
  });
  return energy;
}

std::size_t count(grid::view m, atoms::accessor<ro> a) {
  static_cast<void>(m);
  return a.total();
}

} // namespace task

bool simulate(scheduler& s, const liquid& all, std::int64_t steps, const std::string& file) {
  const std::int64_t n = all.cells();
  const grid m{s, {.extents = {n, n, n},
                    .colors = {2, 2, 2},
                    .halo = 1,
                    .periodic = {true, true, true},
                    .diagonals = true}};
  atoms a{m, "a"};
  atoms b{m, "b"};
  s.execute<task::place>(m, a, all);
  std::optional<file_series> frames;
  if(!file.empty())
    frames.emplace(s, file, file_series_options{.every = 5, .list_of = ".vtp"});
  const auto before = s.reduce<task::force, fold::sum>(m, a, all); // and the first accelerations
  const auto step = [&](atoms& from, atoms& to) {
    s.execute<task::drift>(m, from, to, all);
    return s.reduce<task::force, fold::sum>(m, to, all);
  };
  s.repeat(std::uint64_t(steps / 2), [&] {
    step(a, b);
    step(b, a);
    if(frames)
      frames->write_cloud<&atom::x, speed>(m, a);
  });
  step(a, b);
  const auto after = step(b, a);
  const auto atoms_left = s.reduce<task::count, fold::sum>(m, a).get();

  const auto atoms_in_all = std::size_t(4 * all.units * all.units * all.units);
  const double change = (after.get() - before.get()) / double(atoms_in_all);
  const bool right = std::abs(change) < 2e-3 && atoms_left == atoms_in_all;
  if(s.rank() == 0)
    std::printf("%zu atoms: energy of each %.6f, changed by %.1e%s\n", atoms_left,
      after.get() / double(atoms_in_all), change,
      right ? "" : ", which is too much: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  liquid all{8};
  std::int64_t steps = 100;
  std::string file;
  options o("A liquid of atoms, with forces between those that are near each other.");
  o.argument("UNITS", &all.units, "of four atoms, along each axis").between(6, 1000);
  o.argument("STEPS", &steps, "an even number").between(2, 1'000'000);
  o.argument("FILE", &file, "a series of files that ParaView reads: .pvd or .vtp");
  o.parse(argc, argv);
  return rondo::run(argc, argv,
    [&](scheduler& s) { return simulate(s, all, steps, file) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
