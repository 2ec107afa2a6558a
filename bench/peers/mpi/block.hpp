#pragma once

// How the vertices are divided among the ranks: in px * py blocks, one for each.

#include "solver/kernel.hpp"

#include <limits>
#include <memory>
#include <stdexcept>

namespace bench::mpi {

using solver::coord;

// The vertices of a rank are those in [x0, x1) x [y0, y1), none of which is on the boundary. Its arrays
// have one more on each side: what the neighbour has there, or the boundary.
struct block {
  coord x0, x1, y0, y1;

  [[nodiscard]] coord width() const { return x1 - x0; }
  [[nodiscard]] coord height() const { return y1 - y0; }
  [[nodiscard]] coord stride() const { return width() + 2; }
  [[nodiscard]] coord size() const { return stride() * (height() + 2); }

  // In row j, counted from 0 for the one above those of this rank, element i is vertex (x0 - 1 + i, y0 - 1 + j).
  [[nodiscard]] double* row(double* a, coord j) const { return a + j * stride(); }
  [[nodiscard]] int parity(solver::color c, coord j) const {
    return solver::parity(c, x0 - 1, y0 - 1 + j);
  }
};

// Without values: they are written first by the thread that works on them.
using array = std::unique_ptr<double[]>;
inline array make_array(const block& b) {
  return std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(b.size()));
}

struct decomposition {
  int px;
  int py;

  [[nodiscard]] block of(int rank, coord nx, coord ny) const {
    const auto cut = [](coord n, int parts, int k) { return 1 + (n - 2) * k / parts; };
    const int x = rank % px;
    const int y = rank / px;
    return {cut(nx, px, x), cut(nx, px, x + 1), cut(ny, py, y), cut(ny, py, y + 1)};
  }
  // The rank so many blocks to the right and below, or -1.
  [[nodiscard]] int neighbour(int rank, int dx, int dy) const {
    const int x = rank % px + dx;
    const int y = rank / px + dy;
    return x < 0 || x >= px || y < 0 || y >= py ? -1 : y * px + x;
  }
};

// The one whose halos take the shortest time, at a microsecond per message and two bytes per nanosecond;
// columns are gathered from all over the memory, which takes as long again.
inline decomposition best_decomposition(int ranks, coord nx, coord ny) {
  decomposition best{0, 0};
  double least = std::numeric_limits<double>::infinity();
  for(int px = 1; px <= ranks; ++px) {
    const int py = ranks / px;
    if(px * py != ranks || px > nx - 2 || py > ny - 2)
      continue;
    const auto sides = [](int parts) { return parts > 2 ? 2 : parts - 1; };
    const auto rows = static_cast<double>((nx - 2) / px);
    const auto columns = static_cast<double>((ny - 2) / py);
    const double ns = sides(py) * (1000 + 8 * rows / 2) + sides(px) * (1000 + 2 * 8 * columns / 2);
    if(ns < least) {
      least = ns;
      best = {px, py};
    }
  }
  if(best.px == 0)
    throw std::runtime_error("there are more ranks than vertices to give them");
  return best;
}

} // namespace bench::mpi
