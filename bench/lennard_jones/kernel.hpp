#pragma once

// A liquid of atoms with the potential of Lennard and Jones in a periodic box, the same for Rondo and for MPI by hand: forces up to a
// distance of 2.5, velocity Verlet, and cells that are no narrower than that.
//
// Half a kick at the beginning, then again and again: atoms drift and go to their cells, and are kicked. The last kick is half a one.
// Positions are those within the cell, so nothing has to be shifted at the ends of the box.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace bench::lennard_jones {

using vector = std::array<double, 3>;
using cell = std::array<std::int64_t, 3>;

constexpr double density = 0.8442;
constexpr double temperature = 0.72; // at the beginning
constexpr double cutoff = 2.5;
constexpr double time_step = 0.005;

// Between -0.5 and 0.5, without order.
inline double hashed(std::uint64_t k) {
  k += 0x9e3779b97f4a7c15;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9;
  k = (k ^ (k >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((k ^ (k >> 31)) >> 11) * 0x1p-53 - 0.5;
}

// Atoms on a lattice, four in each of its cubes, whose velocities add up to zero.
class liquid {
public:
  explicit liquid(std::int64_t cubes) : cubes_(cubes), atoms_(4 * cubes * cubes * cubes) {
    const double length = std::cbrt(static_cast<double>(atoms_) / density);
    cells_ = static_cast<std::int64_t>(length / cutoff);
    width_ = length / static_cast<double>(cells_);
    vector square{};
    for(std::size_t a = 0; a != 3; ++a) {
      for(std::int64_t n = 0; n != atoms_; ++n)
        mean_[a] += velocity(n, a) / static_cast<double>(atoms_);
      for(std::int64_t n = 0; n != atoms_; ++n)
        square[a] += (velocity(n, a) - mean_[a]) * (velocity(n, a) - mean_[a]);
    }
    scale_ = std::sqrt(
      3 * static_cast<double>(atoms_) * temperature / (square[0] + square[1] + square[2]));
  }

  [[nodiscard]] std::int64_t atoms() const { return atoms_; }
  [[nodiscard]] std::int64_t cells() const { return cells_; } // along each axis
  [[nodiscard]] double width() const { return width_; }       // of a cell

  // Calls add(cell, position, velocity) for all atoms at the beginning.
  template<class Add>
  void create(const Add& add) const {
    const double edge = width_ * static_cast<double>(cells_) / static_cast<double>(cubes_);
    for(std::int64_t n = 0; n != atoms_; ++n) {
      const std::array<std::int64_t, 4> at = {
        n / 4 % cubes_, n / 4 / cubes_ % cubes_, n / 4 / cubes_ / cubes_, n % 4};
      cell c{};
      vector x{};
      vector v{};
      for(std::size_t a = 0; a != 3; ++a) {
        // The corner of the cube, or the center of the face across axis k - 1.
        const bool is_between = at[3] != 0 && static_cast<std::size_t>(at[3] - 1) != a;
        const double whole = (static_cast<double>(at[a]) + (is_between ? 0.75 : 0.25)) * edge;
        c[a] = static_cast<std::int64_t>(whole / width_);
        x[a] = whole - static_cast<double>(c[a]) * width_;
        v[a] = (velocity(n, a) - mean_[a]) * scale_;
      }
      add(c, x, v);
    }
  }

private:
  [[nodiscard]] static double velocity(std::int64_t atom, std::size_t axis) {
    return hashed(3 * static_cast<std::uint64_t>(atom) + axis);
  }

  std::int64_t cubes_;
  std::int64_t atoms_;
  std::int64_t cells_ = 0;
  double width_ = 0;
  vector mean_{};
  double scale_ = 1;
};

inline void drift(std::span<vector> x, const vector* v) {
  for(std::size_t n = 0; n != x.size(); ++n)
    for(std::size_t a = 0; a != 3; ++a)
      x[n][a] += time_step * v[n][a];
}

inline bool is_within(const vector& x, double width) {
  return x[0] >= 0 && x[0] < width && x[1] >= 0 && x[1] < width && x[2] >= 0 && x[2] < width;
}
// The cell next to `c` to which an atom goes that isn't within it; its position is then within that one.
inline cell next_cell(const cell& c, vector& x, double width) {
  cell to = c;
  for(std::size_t a = 0; a != 3; ++a)
    if(x[a] < 0) {
      x[a] += width;
      --to[a];
    }
    else if(x[a] >= width) {
      x[a] -= width;
      ++to[a];
    }
  return to;
}

// The atoms of a cell and of those around it.
struct neighbours {
  struct row {
    const vector* atoms;
    std::size_t count;
    vector corner; // of their cell, seen from the one in the middle
  };
  std::array<row, 27> rows;

  // `of` gives the atoms of a cell: anything with data() and size().
  template<class Atoms>
  neighbours(const cell& c, double width, const Atoms& of) {
    std::size_t n = 0;
    for(std::int64_t k = -1; k <= 1; ++k)
      for(std::int64_t j = -1; j <= 1; ++j)
        for(std::int64_t i = -1; i <= 1; ++i) {
          const auto atoms = of(c[0] + i, c[1] + j, c[2] + k);
          rows[n++] = {atoms.data(), atoms.size(),
            {width * static_cast<double>(i), width * static_cast<double>(j),
              width * static_cast<double>(k)}};
        }
  }

  // Calls pair(difference, square of the distance) for all that are near enough. Inlined in all programs.
  template<class Pair>
  [[gnu::always_inline]] void for_each(const vector& x, const Pair& pair) const {
    for(const row& r : rows) {
      const vector from = {x[0] - r.corner[0], x[1] - r.corner[1], x[2] - r.corner[2]};
      for(const vector* y = r.atoms; y != r.atoms + r.count; ++y) {
        const vector d = {from[0] - (*y)[0], from[1] - (*y)[1], from[2] - (*y)[2]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if(square < cutoff * cutoff && square > 0) // not itself
          pair(d, square);
      }
    }
  }
};

// Changes the velocities of the atoms of a cell.
[[gnu::always_inline]] inline void kick(
  std::span<const vector> x, vector* v, const neighbours& around, double time) {
  for(std::size_t n = 0; n != x.size(); ++n) {
    vector force{};
    around.for_each(x[n], [&](const vector& d, double square) {
      const double i2 = 1 / square;
      const double i6 = i2 * i2 * i2;
      const double f = 48 * i2 * i6 * (i6 - 0.5);
      for(std::size_t a = 0; a != 3; ++a)
        force[a] += f * d[a];
    });
    for(std::size_t a = 0; a != 3; ++a)
      v[n][a] += time * force[a];
  }
}

// Of the atoms of a cell, with half of what each pair has; zero at the cutoff.
inline double energy(std::span<const vector> x, const vector* v, const neighbours& around) {
  const auto potential = [](double square) {
    const double i6 = 1 / (square * square * square);
    return 4 * i6 * (i6 - 1);
  };
  double sum = 0;
  for(std::size_t n = 0; n != x.size(); ++n) {
    around.for_each(x[n], [&](const vector& /*d*/, double square) {
      sum += 0.5 * (potential(square) - potential(cutoff * cutoff));
    });
    for(std::size_t a = 0; a != 3; ++a)
      sum += 0.5 * v[n][a] * v[n][a];
  }
  return sum;
}

// What has to be kept.
struct state {
  double atoms;
  double energy; // of an atom
  vector momentum;

  void check(const state& start) const {
    if(atoms != start.atoms)
      throw std::runtime_error(
        "there were " + std::to_string(start.atoms) + " atoms, and are " + std::to_string(atoms));
    if(!(std::abs(energy - start.energy) < 1e-3))
      throw std::runtime_error("the energy of an atom was " + std::to_string(start.energy) +
                               ", and is " + std::to_string(energy));
    for(const double p : momentum)
      if(!(std::abs(p) < 1e-8))
        throw std::runtime_error("momentum has become " + std::to_string(p));
  }
};

} // namespace bench::lennard_jones
