#include "known_cells.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace rondo::detail::inline meshes {

namespace {

/// With all digits: most positions that differ are almost the same.
std::string text_of(const position& p) {
  char text[100];
  std::snprintf(text, sizeof text, "(%.17g, %.17g, %.17g)", p[0], p[1], p[2]);
  return text;
}

} // namespace

position known_cells::center(std::size_t cell) const {
  position mean{};
  const auto its = corners(cell);
  for(const std::int32_t v : its)
    for(std::size_t a = 0; a != 3; ++a)
      mean[a] += at(v)[a];
  for(double& x : mean)
    x /= static_cast<double>(its.size());
  return mean;
}

void known_cells::add_vertex(std::int64_t id, const position& at) {
  const auto number =
    static_cast<std::size_t>(vertices_.number({0, static_cast<std::uint64_t>(id)}));
  if(number == positions_.size())
    positions_.push_back(at);
  else if(positions_[number] != at)
    throw std::invalid_argument("rondo::unstructured: vertex " + std::to_string(id) + " is at " +
                                text_of(positions_[number]) + " and at " + text_of(at) +
                                "; give it one position, in each part that has it");
}

void known_cells::read(std::span<const std::int64_t> cells,
  std::span<const std::int64_t> vertex_ids, std::span<const position> at) {
  for(std::size_t v = 0; v != vertex_ids.size(); ++v)
    add_vertex(vertex_ids[v], at[v]);
  for(std::size_t k = 0; k != cells.size();) {
    ids_.push_back(cells[k]);
    colors_.push_back(static_cast<color_id>(cells[k + 1]));
    const auto count = static_cast<std::size_t>(cells[k + 2]);
    k += 3;
    for(const std::size_t end = k + count; k != end; ++k)
      corners_.push_back(vertices_.find({0, static_cast<std::uint64_t>(cells[k])}));
    begins_.push_back(corners_.size());
  }
}

void known_cells::sort_own() {
  own_ = ids_.size();
  std::vector<std::size_t> order(own_);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(colors_[a], ids_[a]) < std::pair(colors_[b], ids_[b]);
  });
  std::vector<std::int64_t> ids(own_);
  std::vector<color_id> colors(own_);
  std::vector<std::int32_t> sorted;
  sorted.reserve(corners_.size());
  std::vector<std::size_t> begins{0};
  begins.reserve(own_ + 1);
  for(std::size_t k = 0; k != own_; ++k) {
    ids[k] = ids_[order[k]];
    colors[k] = colors_[order[k]];
    const auto its = corners(order[k]);
    sorted.insert(sorted.end(), its.begin(), its.end());
    begins.push_back(sorted.size());
  }
  ids_ = std::move(ids);
  colors_ = std::move(colors);
  corners_ = std::move(sorted);
  begins_ = std::move(begins);
}

void cell_mail::add_cell(
  unsigned to, std::int64_t id, color_id color, std::span<const std::int64_t> corners) {
  std::vector<std::int64_t>& cells = cells_[to];
  cells.insert(
    cells.end(), {id, static_cast<std::int64_t>(color), static_cast<std::int64_t>(corners.size())});
  cells.insert(cells.end(), corners.begin(), corners.end());
}

void cell_mail::send(team& all, known_cells& into) {
  auto cells = all.swap_mail(std::move(cells_));
  auto vertices = all.swap_mail(std::move(vertices_));
  auto positions = all.swap_mail(std::move(positions_));
  for(std::size_t from = 0; from != cells.size(); ++from) {
    into.read(cells[from], vertices[from], positions[from]);
    cells[from] = {};
    vertices[from] = {};
    positions[from] = {};
  }
}

} // namespace rondo::detail::inline meshes
