// Axis by axis, the shortest first, some numbers of colors near the ideal are tried: that which
// gives squares if what is left of the mesh is cut into what is left of the colors.

#include <rondo/distributed/color_grid.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <vector>

#include <rondo/distributed/bisection.hpp>
#include <rondo/distributed/color_numbers.hpp>

#include "refusal.hpp"

namespace rondo {

namespace {

__extension__ typedef unsigned __int128 wide;

constexpr std::uint64_t ceiling(std::uint64_t n, std::uint64_t by) {
  return n / by + (n % by != 0);
}

/// The largest r with r^degree <= n.
std::uint64_t root(std::uint64_t n, std::size_t degree) {
  const auto fits = [&](std::uint64_t r) {
    std::uint64_t rest = n;
    for(std::size_t i = 0; i != degree; ++i)
      rest /= r;
    return rest != 0;
  };
  std::uint64_t low = 1, high = n + 1;
  while(high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// In ascending order. Divisors that have a prime factor above 2^16 may be missing: they would make
/// thin strips anyway.
std::vector<std::uint64_t> divisors_of(std::uint64_t n) {
  std::vector<std::uint64_t> found{1};
  const auto multiply = [&](std::uint64_t prime, unsigned power) {
    const std::size_t before = found.size();
    for(std::uint64_t p = prime; power != 0; --power, p *= prime)
      for(std::size_t i = 0; i != before; ++i)
        found.push_back(found[i] * p);
  };
  for(std::uint64_t p = 2; p * p <= n && p < (1U << 16U); ++p) {
    unsigned power = 0;
    for(; n % p == 0; n /= p)
      ++power;
    if(power != 0)
      multiply(p, power);
  }
  if(n != 1)
    multiply(n, 1);
  std::sort(found.begin(), found.end());
  return found;
}

/// The most colors along each axis that a halo allows.
template<std::size_t D>
point<D> finest(const structured_shape<D>& s) {
  point<D> most = s.extents;
  for(std::int64_t& n : most)
    n = std::max(n / std::max(s.halo, std::int64_t{1}), std::int64_t{1});
  return most;
}

template<std::size_t D>
class search {
public:
  search(const structured_shape<D>& shape, std::uint64_t wanted, unsigned ranks)
      : shape_(shape), most_(finest(shape)), ranks_(ranks), enough_(wanted + wanted / 8) {
    std::iota(axes_.begin(), axes_.end(), std::size_t{0});
    std::stable_sort(axes_.begin(), axes_.end(),
      [&](std::size_t a, std::size_t b) { return shape.extents[a] < shape.extents[b]; });
    look(0, wanted);
  }

  point<D> best() const { return best_; }

private:
  /// The axes before `k` have their colors; the others are to be cut into `wanted`.
  void look(std::size_t k, std::uint64_t wanted) {
    const std::size_t a = axes_[k];
    const auto most = static_cast<std::uint64_t>(most_[a]);
    if(k + 1 == D) {
      if(wanted <= most) {
        grid_[a] = static_cast<std::int64_t>(wanted);
        compare();
      }
      return;
    }
    for(const std::uint64_t n : candidates(k, wanted, most)) {
      grid_[a] = static_cast<std::int64_t>(n);
      look(k + 1, ceiling(wanted, n));
    }
  }

  std::vector<std::uint64_t> candidates(std::size_t k, std::uint64_t wanted, std::uint64_t most) {
    std::uint64_t points = 1;
    for(std::size_t i = k; i != D; ++i)
      points *= static_cast<std::uint64_t>(shape_.extents[axes_[i]]);
    const std::uint64_t side = root(std::max(points / wanted, std::uint64_t{1}), D - k);
    const auto length = static_cast<std::uint64_t>(shape_.extents[axes_[k]]);
    const std::uint64_t ideal = std::clamp(length / side, std::uint64_t{1}, most);

    constexpr std::uint64_t around = 6;
    // With the most there are enough colors in any case.
    std::vector<std::uint64_t> found{most};
    for(std::uint64_t n = ideal > around ? ideal - around : 1; n <= std::min(ideal + around, most);
        ++n)
      found.push_back(n);
    // With divisors there are no more than wanted.
    const std::vector<std::uint64_t> divisors = divisors_of(wanted);
    const auto end = std::upper_bound(divisors.begin(), divisors.end(), most);
    const auto middle = std::lower_bound(divisors.begin(), end, ideal);
    const auto some = static_cast<std::ptrdiff_t>(around);
    found.insert(found.end(), middle - std::min(middle - divisors.begin(), some),
      middle + std::min(end - middle, some));
    return found;
  }

  void compare() {
    std::uint64_t colors = 1;
    wide points = 1;
    for(std::size_t a = 0; a != D; ++a) {
      const auto n = static_cast<std::uint64_t>(grid_[a]);
      const std::uint64_t sides = shape_.periodic[a] ? 2 : std::min<std::uint64_t>(n - 1, 2);
      colors *= n;
      // If there is no halo, short rims don't matter, but are not worse either.
      const auto halo = static_cast<std::uint64_t>(std::max(shape_.halo, std::int64_t{1}));
      points *= ceiling(static_cast<std::uint64_t>(shape_.extents[a]), n) + sides * halo;
    }
    const std::tuple key(
      std::max(colors, enough_), ceiling(colors, ranks_) * points, colors, grid_);
    if(!found_ || key < best_key_) {
      found_ = true;
      best_key_ = key;
      best_ = grid_;
    }
  }

  const structured_shape<D>& shape_;
  const point<D> most_;
  const unsigned ranks_;
  const std::uint64_t enough_;
  std::array<std::size_t, D> axes_{};
  point<D> grid_{};
  point<D> best_{};
  bool found_ = false;
  std::tuple<std::uint64_t, wide, std::uint64_t, point<D>> best_key_{};
};

} // namespace

template<std::size_t D>
point<D> choose_color_grid(const structured_shape<D>& shape, std::uint64_t wanted, unsigned ranks) {
  detail::points_of(shape.extents);
  detail::check_halo(shape.halo);
  detail::check_ranks(shape.extents, ranks);
  wanted = std::max<std::uint64_t>(wanted, ranks);
  const std::uint64_t most = detail::points_of(finest(shape));
  if(wanted > most)
    detail::refuse("the mesh has " + detail::product(shape.extents) + " points, which makes " +
                   std::to_string(most) + " colors for a halo of " + std::to_string(shape.halo) +
                   ", but " + std::to_string(wanted) +
                   " are wanted; take fewer colors or ranks, a thinner halo or a larger mesh");
  return search<D>(shape, wanted, ranks).best();
}

namespace {

/// Whether each of the ranks is sure to get one of these blocks, however often they are cut.
template<std::size_t D>
bool are_whole(const point<D>& blocks, unsigned ranks) {
  const auto is_power = [](std::int64_t n) {
    return std::has_single_bit(static_cast<std::uint64_t>(n));
  };
  return detail::points_of(blocks) == ranks && std::all_of(blocks.begin(), blocks.end(), is_power);
}

constexpr std::uint64_t worth_a_task = 2048; // points: about a microsecond

/// These blocks, cut into as many colors as are wanted: the last axis first, then rows in memory stay whole.
template<std::size_t D>
point<D> cut_last(point<D> grid, const point<D>& most, std::uint64_t each) {
  for(std::size_t a = D; a-- != 0;) {
    const auto parts = std::min(static_cast<std::int64_t>(each), most[a] / grid[a]);
    grid[a] *= parts;
    each = ceiling(each, static_cast<std::uint64_t>(parts));
  }
  return grid;
}

/// Of some grids that in which the busiest rank has the least to do, its halo included.
template<std::size_t D>
class best_for_ranks {
public:
  best_for_ranks(const structured_shape<D>& shape, unsigned ranks) : shape_(shape), ranks_(ranks) {}

  void look_at(const point<D>& grid) {
    if(detail::points_of(grid) < ranks_)
      return;
    const detail::bisection cut(detail::cut_mesh::of(shape_.extents, grid), shape_.halo, ranks_);
    const double work = cut.most_work();
    if(best_ == point<D>{} || work < least_) {
      least_ = work;
      best_ = grid;
    }
  }

  /// Columns about as wide as a block is long, cut into thin slabs along the last axis: these can be dealt
  /// evenly to any number of ranks.
  void look_at_columns(std::uint64_t wanted) {
    std::uint64_t points = 1;
    for(const std::int64_t n : shape_.extents)
      points *= static_cast<std::uint64_t>(n);
    point<D> columns;
    columns.fill(1);
    const std::uint64_t side = root(std::max<std::uint64_t>(points / ranks_, 1), D);
    look_at_columns(columns, 0, side, wanted);
  }

  [[nodiscard]] point<D> best() const { return best_; }

private:
  void look_at_columns(
    point<D>& columns, std::size_t axis, std::uint64_t side, std::uint64_t wanted) {
    const point<D> most = finest(shape_);
    if(axis + 1 == D) {
      std::uint64_t across = 1;
      for(std::size_t a = 0; a != axis; ++a)
        across *= static_cast<std::uint64_t>(columns[a]);
      columns[axis] = static_cast<std::int64_t>(ceiling(wanted, across));
      if(columns[axis] <= most[axis])
        look_at(columns);
      return;
    }
    constexpr std::int64_t around = D == 3 ? 1 : 3;
    const auto ideal = static_cast<std::int64_t>(
      (static_cast<std::uint64_t>(shape_.extents[axis]) + side / 2) / side);
    for(std::int64_t n = std::max<std::int64_t>(ideal - around, 1);
        n <= std::min(ideal + around, most[axis]); ++n) {
      columns[axis] = n;
      look_at_columns(columns, axis + 1, side, wanted);
    }
  }

  const structured_shape<D>& shape_;
  const unsigned ranks_;
  point<D> best_{};
  double least_ = 0;
};

} // namespace

template<std::size_t D>
std::uint64_t default_colors(
  const structured_shape<D>& shape, unsigned ranks, unsigned workers_per_rank) {
  constexpr std::uint64_t several = 4;               // per worker
  constexpr std::uint64_t worth_overlapping = 32768; // points: many times what a message takes

  detail::check_halo(shape.halo);
  detail::check_ranks(shape.extents, ranks);
  const std::uint64_t workers = std::max(workers_per_rank, 1U);
  const std::uint64_t points = detail::points_of(shape.extents) / ranks; // of a rank
  std::uint64_t colors = std::max(std::min(workers, points / worth_a_task),
    std::min(several * workers, points / worth_overlapping));
  // The last round of tasks should have work for all.
  if(colors > workers)
    colors = colors / workers * workers;
  colors = std::max<std::uint64_t>(colors, 1) * ranks;
  return std::max<std::uint64_t>(std::min(colors, detail::points_of(finest(shape))), ranks);
}

template<std::size_t D>
point<D> default_color_grid(
  const structured_shape<D>& shape, unsigned ranks, unsigned workers_per_rank) {
  const std::uint64_t wanted = default_colors(shape, ranks, workers_per_rank);
  const point<D> blocks = choose_color_grid(shape, ranks, ranks);
  const point<D> cut = cut_last(blocks, finest(shape), wanted / ranks);
  if(are_whole(blocks, ranks))
    return cut;
  best_for_ranks<D> search(shape, ranks);
  if(detail::points_of(blocks) == ranks)
    search.look_at(cut);
  search.look_at(choose_color_grid(shape, wanted, ranks));
  search.look_at_columns(wanted);
  if(detail::points_of(shape.extents) / wanted >= 2 * worth_a_task)
    search.look_at_columns(2 * wanted); // thinner slabs can be dealt more evenly
  return search.best();
}

template<std::size_t D>
point<D> layered_color_grid(const structured_shape<D>& shape, unsigned ranks,
  unsigned workers_per_rank, std::size_t bytes_per_point) {
  // Bytes for each worker: about its part of the last cache. One that is alone has more of that. Not asked of the machine, since all ranks
  // have to find the same.
  constexpr std::int64_t large = 12 << 20, large_alone = 18 << 20;
  constexpr std::int64_t layer = 256 << 10;  // bytes: a few are in an L2 cache
  constexpr std::int64_t fewest_of_rank = 8; // else there is hardly anything to go through
  constexpr std::int64_t most_of_rank = 4096;
  const auto bytes = static_cast<std::int64_t>(bytes_per_point);
  const std::int64_t length = shape.extents[D - 1];
  if(D == 1 || bytes == 0)
    return {};
  for(std::size_t a = 0; a + 1 != D; ++a)
    if(shape.diagonals &&
       shape.periodic[a]) // there are ghosts at corners, and layers would be copied
      return {};
  const auto points = static_cast<std::int64_t>(detail::points_of(shape.extents));
  const unsigned workers = std::max(workers_per_rank, 1U);
  if(points / ranks * bytes <= (ranks == 1 && workers == 1 ? large_alone : large * workers))
    return {};
  const std::int64_t row = points / length * bytes; // all points with one last coordinate
  const std::int64_t rows = std::max<std::int64_t>({layer / row, shape.halo, 1});
  // As many for all ranks, so that their first and last layers are neighbours of just one.
  std::int64_t of_rank = std::min(length / rows / ranks, most_of_rank);
  if(of_rank < fewest_of_rank || rows * row > 2 * layer)
    return {};
  point<D> colors;
  colors.fill(1);
  colors[D - 1] = of_rank * ranks;
  return colors;
}

template point<1> layered_color_grid(const structured_shape<1>&, unsigned, unsigned, std::size_t);
template point<2> layered_color_grid(const structured_shape<2>&, unsigned, unsigned, std::size_t);
template point<3> layered_color_grid(const structured_shape<3>&, unsigned, unsigned, std::size_t);
template point<1> choose_color_grid(const structured_shape<1>&, std::uint64_t, unsigned);
template point<2> choose_color_grid(const structured_shape<2>&, std::uint64_t, unsigned);
template point<3> choose_color_grid(const structured_shape<3>&, std::uint64_t, unsigned);
template std::uint64_t default_colors(const structured_shape<1>&, unsigned, unsigned);
template point<1> default_color_grid(const structured_shape<1>&, unsigned, unsigned);
template std::uint64_t default_colors(const structured_shape<2>&, unsigned, unsigned);
template point<2> default_color_grid(const structured_shape<2>&, unsigned, unsigned);
template std::uint64_t default_colors(const structured_shape<3>&, unsigned, unsigned);
template point<3> default_color_grid(const structured_shape<3>&, unsigned, unsigned);

} // namespace rondo
