#include <rondo/meshes/boxes.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <rondo/distributed/shares.hpp>

namespace rondo {

namespace {

/// Squares, or cubes, in a box, numbered along the first axis, then along the next one, as are their corners.
struct grid {
  std::array<std::int64_t, 3> cells;

  [[nodiscard]] std::int64_t corner(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i + (cells[0] + 1) * (j + (cells[1] + 1) * k);
  }
};

void check(const char* what, std::initializer_list<std::int64_t> lengths) {
  for(const std::int64_t n : lengths)
    if(n < 1)
      throw std::invalid_argument(std::string("rondo::").append(what) + ": " + std::to_string(n) +
                                  " along an axis; there is one at least");
}

/// Adds the corners of the rows of cubes `first` to `last`, counted over all layers: each row of corners once.
void add_corners(mesh_piece& p, const grid& g, std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> rows; // of corners, j + (cells[1] + 1) * k
  for(std::int64_t r = first; r != last; ++r) {
    const std::int64_t j = r % g.cells[1];
    const std::int64_t k = r / g.cells[1];
    for(std::int64_t dk = 0; dk != (p.dimension == 3 ? 2 : 1); ++dk)
      for(std::int64_t dj = 0; dj != 2; ++dj)
        rows.push_back(j + dj + (g.cells[1] + 1) * (k + dk));
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const double h = 1. / static_cast<double>(g.cells[0]);
  for(const std::int64_t r : rows)
    for(std::int64_t i = 0; i <= g.cells[0]; ++i)
      p.add_vertex(i + (g.cells[0] + 1) * r,
        {h * static_cast<double>(i), h * static_cast<double>(r % (g.cells[1] + 1)),
          h * static_cast<double>(r / (g.cells[1] + 1))});
}

} // namespace

mesh_piece box_of_triangles::operator()(unsigned part, unsigned parts) const {
  check("box_of_triangles", {x, y});
  mesh_piece p{.dimension = 2};
  const grid g{{x, y, 1}};
  const auto rows = static_cast<std::uint64_t>(y);
  const auto first = static_cast<std::int64_t>(detail::share_begin(rows, parts, part));
  const auto last = static_cast<std::int64_t>(detail::share_begin(rows, parts, part + 1));
  add_corners(p, g, first, last);
  for(std::int64_t j = first; j != last; ++j)
    for(std::int64_t i = 0; i != x; ++i) {
      const std::int64_t a = g.corner(i, j, 0);
      const std::int64_t b = g.corner(i + 1, j, 0);
      const std::int64_t c = g.corner(i + 1, j + 1, 0);
      const std::int64_t d = g.corner(i, j + 1, 0);
      p.add_cell({a, b, c});
      p.add_cell({a, c, d});
      if(i == 0)
        p.name("left", {a, d});
      if(i + 1 == x)
        p.name("right", {b, c});
      if(j == 0)
        p.name("bottom", {a, b});
      if(j + 1 == y)
        p.name("top", {d, c});
    }
  return p;
}

// A tetrahedron for each way from the first corner of a cube to the opposite one along three of its edges. So both cubes at a face cut it
// in the same way.
mesh_piece box_of_tetrahedra::operator()(unsigned part, unsigned parts) const {
  check("box_of_tetrahedra", {x, y, z});
  mesh_piece p{.dimension = 3};
  const grid g{{x, y, z}};
  const auto rows = static_cast<std::uint64_t>(y * z);
  const auto first = static_cast<std::int64_t>(detail::share_begin(rows, parts, part));
  const auto last = static_cast<std::int64_t>(detail::share_begin(rows, parts, part + 1));
  add_corners(p, g, first, last);
  constexpr std::array<std::array<std::size_t, 3>, 6> ways = {
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}};
  constexpr const char* ends[3][2] = {{"left", "right"}, {"front", "back"}, {"bottom", "top"}};
  for(std::int64_t r = first; r != last; ++r)
    for(std::int64_t i = 0; i != x; ++i)
      for(const auto& way : ways) {
        std::array<std::int64_t, 3> at = {i, r % y, r / y};
        std::array<std::array<std::int64_t, 3>, 4> corners{};
        corners[0] = at;
        for(std::size_t n = 0; n != 3; ++n) {
          ++at[way[n]];
          corners[n + 1] = at;
        }
        std::array<std::int64_t, 4> ids{};
        for(std::size_t n = 0; n != 4; ++n)
          ids[n] = g.corner(corners[n][0], corners[n][1], corners[n][2]);
        const bool is_even = way[1] == (way[0] + 1) % 3;
        p.add_cell({ids[0], ids[1], is_even ? ids[2] : ids[3], is_even ? ids[3] : ids[2]});
        // Three corners on an end of the box are a face there.
        for(std::size_t a = 0; a != 3; ++a)
          for(std::size_t end = 0; end != 2; ++end) {
            std::vector<std::int64_t> face;
            for(std::size_t n = 0; n != 4; ++n)
              if(corners[n][a] == (end == 0 ? 0 : g.cells[a]))
                face.push_back(ids[n]);
            if(face.size() == 3)
              p.name(ends[a][end], face);
          }
      }
  return p;
}

} // namespace rondo
