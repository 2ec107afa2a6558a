#pragma once

// The linear system of this bench, for Rondo and its peers alike: rows of a sparse matrix, each a pure function of its number, so
// any process can make any row.
//
// The graph is a box of vertices, each with its six neighbours, and one vertex in a hundred has another one near it as a
// neighbour too, chosen by a hash. Each pair has a weight w between 1/2 and 3/2; the matrix has -w for the pair, and on
// the diagonal the sum of a vertex's weights and a little more: it is symmetric and positive definite.
//
//   const bench::sparse::problem p{100, 100, 100};
//   for(const bench::sparse::entry& e : p.row(i)) ... e.column, e.value    // in the order of columns, with the diagonal
//   p.right(i);                                                            // the right-hand side

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace bench::sparse {

using row_number = std::int64_t;

struct entry {
  row_number column;
  double value;
};

namespace detail {

struct offset {
  int x, y, z;
};

// None is a side of the box, and none is another one backwards: a pair would be there twice.
inline constexpr std::array<offset, 8> far_offsets{
  {{2, 1, 0}, {-1, 2, 0}, {3, 0, 0}, {0, 3, 0}, {1, 0, 2}, {0, -1, 2}, {-2, 1, 1}, {1, 2, 1}}};
inline constexpr std::uint64_t one_in = 100;

// The last step of the generator splitmix64.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// From 0 to 1.
constexpr double unit(std::uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

} // namespace detail

class row {
public:
  [[nodiscard]] const entry* begin() const { return entries_.data(); }
  [[nodiscard]] const entry* end() const { return entries_.data() + count_; }
  [[nodiscard]] std::size_t size() const { return count_; }

private:
  friend struct problem;

  void add(row_number column, double value) { entries_[count_++] = {column, value}; }
  void sort() {
    std::sort(entries_.data(), entries_.data() + count_,
      [](const entry& a, const entry& b) { return a.column < b.column; });
  }

  // The diagonal, six sides, one neighbour that is chosen here, and those that choose this one.
  std::array<entry, 8 + detail::far_offsets.size()> entries_;
  std::size_t count_ = 0;
};

struct problem {
  std::int64_t nx = 100;
  std::int64_t ny = 100;
  std::int64_t nz = 100;

  [[nodiscard]] row_number rows() const { return nx * ny * nz; }

  // The first row of a part, of so many: whole planes of the box. The last part ends with the first row of the one behind it.
  [[nodiscard]] row_number first_row(std::int64_t part, std::int64_t parts) const {
    return part * nz / parts * nx * ny;
  }

  [[nodiscard]] bench::sparse::row row(row_number i) const {
    bench::sparse::row made;
    double weights = 0;
    const auto add = [&](row_number j) {
      if(j < 0)
        return;
      const double w = weight(i, j);
      weights += w;
      made.add(j, -w);
    };
    for(const detail::offset side : {detail::offset{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
      add(beside(i, side, 1));
      add(beside(i, side, -1));
    }
    for(std::size_t k = 0; k != detail::far_offsets.size(); ++k) {
      if(chosen(i) == k)
        add(beside(i, detail::far_offsets[k], 1));
      const row_number j = beside(i, detail::far_offsets[k], -1);
      if(j >= 0 && chosen(j) == k)
        add(j);
    }
    made.add(i, weights + more_on_diagonal);
    made.sort();
    return made;
  }

  [[nodiscard]] double right(row_number i) const {
    return 2 * detail::unit(detail::mixed(~static_cast<std::uint64_t>(i))) - 1;
  }

private:
  // So little that after a hundred iterations a residual isn't yet made of rounding errors.
  static constexpr double more_on_diagonal = 0.01;

  // Which offset leads to the far neighbour that vertex i chooses; one that there isn't, if it chooses none.
  static constexpr std::size_t chosen(row_number i) {
    const std::uint64_t hash = detail::mixed(static_cast<std::uint64_t>(i));
    return hash % detail::one_in == 0 ? hash / detail::one_in % detail::far_offsets.size()
                                      : detail::far_offsets.size();
  }

  [[nodiscard]] double weight(row_number i, row_number j) const {
    const auto [low, high] = std::minmax(i, j);
    return 0.5 + detail::unit(detail::mixed(static_cast<std::uint64_t>(low * rows() + high)));
  }

  // -1 outside of the box.
  [[nodiscard]] row_number beside(row_number i, detail::offset by, int times) const {
    const std::int64_t x = i % nx + times * by.x;
    const std::int64_t y = i / nx % ny + times * by.y;
    const std::int64_t z = i / nx / ny + times * by.z;
    if(x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz)
      return -1;
    return x + nx * (y + ny * z);
  }
};

} // namespace bench::sparse
