// Ranks find most pairs alone. A face that other ranks' cells may have, too, has only vertices that other ranks know as well: so
// first they ask the keepers of vertices which these are, and then the keepers of such faces, who has them.

#include "cells_over_faces.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ranges>
#include <utility>
#include <vector>

#include "keepers.hpp"
#include "part_numbers.hpp"

namespace rondo::detail::inline meshes {

namespace {

constexpr std::int32_t no_second = -1;

/// The faces of a rank's cells, and which of the cells have each.
class faces_of_rank {
public:
  explicit faces_of_rank(const cells_of_rank& cells) {
    numbers_.know_vertices(cells.vertices.size());
    begins_.reserve(cells.size() + 1);
    for(std::size_t c = 0; c != cells.size(); ++c) {
      const auto corners = cells.corners_of(c);
      const std::size_t count =
        parts_of_shape(cells.dimension, corners.size(), element_kind::faces);
      for(std::size_t k = 0; k != count; ++k)
        add(static_cast<std::int32_t>(c),
          numbers_.number(vertices_at(
            corners, part_of_shape(cells.dimension, corners.size(), element_kind::faces, k))));
      begins_.push_back(faces_.size());
    }
    std::ranges::sort(more_);
  }

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] std::span<const std::int32_t> vertices(std::int32_t face) const {
    const few_vertices& its = numbers_.vertices(face);
    return {its.begin(), std::find(its.begin(), its.end(), -1)};
  }
  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return std::span(faces_).subspan(begins_[c], begins_[c + 1] - begins_[c]);
  }
  /// The first two cells that have it; `no_second` instead of the second one if there is only one.
  [[nodiscard]] const std::array<std::int32_t, 2>& two_with(std::int32_t face) const {
    return two_with_[static_cast<std::size_t>(face)];
  }
  /// Third cells of faces, and so on: in the order of the faces, and of one face in the order of the cells.
  [[nodiscard]] std::span<const std::pair<std::int32_t, std::int32_t>> more() const {
    return more_;
  }

private:
  void add(std::int32_t cell, std::int32_t face) {
    faces_.push_back(face);
    if(static_cast<std::size_t>(face) == two_with_.size())
      two_with_.push_back({cell, no_second});
    else if(auto& its = two_with_[static_cast<std::size_t>(face)]; its[1] == no_second)
      its[1] = cell;
    else
      more_.emplace_back(face, cell);
  }

  part_numbers numbers_;
  std::vector<std::int32_t> faces_; ///< Of all cells, one after the other.
  std::vector<std::size_t> begins_{0};
  std::vector<std::array<std::int32_t, 2>> two_with_;
  std::vector<std::pair<std::int32_t, std::int32_t>> more_;
};

/// Of each vertex of this rank whether other ranks know it, too.
std::vector<bool> known_elsewhere(team& all, const std::vector<entity_key>& vertices) {
  std::vector<std::vector<std::uint64_t>> out(all.ranks());
  for(const entity_key& k : vertices)
    out[rank_that_keeps(k, all.ranks())].push_back(k.low);
  const auto asked = all.swap_mail(std::move(out));
  std::size_t expected = 0;
  for(const auto& from : asked)
    expected += from.size();
  key_numbers numbers(expected);
  std::vector<std::uint8_t> times;
  for(const auto& from : asked)
    for(const std::uint64_t v : from) {
      const auto n = static_cast<std::size_t>(numbers.number({0, v}));
      if(n == times.size())
        times.push_back(0);
      times[n] = std::min<std::uint8_t>(times[n] + 1, 2);
    }
  std::vector<std::vector<std::uint8_t>> answers(all.ranks());
  for(std::size_t r = 0; r != asked.size(); ++r)
    for(const std::uint64_t v : asked[r])
      answers[r].push_back(times[static_cast<std::size_t>(numbers.find({0, v}))]);
  const auto told = all.swap_mail(std::move(answers));
  std::vector<std::size_t> at(all.ranks());
  std::vector<bool> made(vertices.size());
  for(std::size_t v = 0; v != vertices.size(); ++v) {
    const unsigned keeper = rank_that_keeps(vertices[v], all.ranks());
    made[v] = told[keeper][at[keeper]++] > 1;
  }
  return made;
}

/// A cell, and one that it shares a face with.
struct cell_pair {
  std::int32_t own;
  std::int64_t other;
};

/// Of faces that more than two cells have. These faces are apart then, as shared ones are already.
std::vector<cell_pair> crowded(
  const cells_of_rank& cells, const faces_of_rank& faces, std::vector<bool>& is_apart) {
  std::vector<cell_pair> made;
  for(auto at = faces.more().begin(); at != faces.more().end();) {
    const std::int32_t face = at->first;
    std::vector<std::int32_t> its(faces.two_with(face).begin(), faces.two_with(face).end());
    for(; at != faces.more().end() && at->first == face; ++at)
      its.push_back(at->second);
    if(is_apart[static_cast<std::size_t>(face)])
      continue;
    is_apart[static_cast<std::size_t>(face)] = true;
    for(const std::int32_t a : its)
      for(const std::int32_t b : its)
        if(a != b)
          made.push_back({a, cells.first + b});
  }
  return made;
}

struct face_sighting {
  entity_key face;
  std::int64_t cell; ///< Of this one.
};

/// All cells that have one of the faces. Answers to sightings are these: how many others have the face, and which.
std::vector<std::vector<std::int64_t>> answer(
  const std::vector<std::vector<face_sighting>>& sightings) {
  std::size_t expected = 0;
  for(const auto& from : sightings)
    expected += from.size();
  key_numbers numbers(expected);
  std::vector<std::int32_t> face_of;
  std::vector<std::size_t> begins{0, 0};
  for(const auto& from : sightings)
    for(const face_sighting& c : from) {
      face_of.push_back(numbers.number(c.face));
      begins.resize(numbers.size() + 2);
      ++begins[static_cast<std::size_t>(face_of.back()) + 2];
    }
  for(std::size_t f = 2; f < begins.size(); ++f)
    begins[f] += begins[f - 1];
  std::vector<std::int64_t> cells(face_of.size());
  std::size_t k = 0;
  for(const auto& from : sightings)
    for(const face_sighting& c : from)
      cells[begins[static_cast<std::size_t>(face_of[k++]) + 1]++] = c.cell;

  std::vector<std::vector<std::int64_t>> answers(sightings.size());
  k = 0;
  for(std::size_t r = 0; r != sightings.size(); ++r)
    for(const face_sighting& c : sightings[r]) {
      const auto f = static_cast<std::size_t>(face_of[k++]);
      answers[r].push_back(static_cast<std::int64_t>(begins[f + 1] - begins[f]) - 1);
      for(std::size_t n = begins[f]; n != begins[f + 1]; ++n)
        if(cells[n] != c.cell)
          answers[r].push_back(cells[n]);
    }
  return answers;
}

/// Which faces other ranks' cells may have.
std::vector<bool> may_be_shared(team& all, const cells_of_rank& cells, const faces_of_rank& faces) {
  std::vector<bool> made(faces.size());
  if(all.ranks() == 1)
    return made;
  const std::vector<bool> is_known = known_elsewhere(all, cells.vertices.keys());
  for(std::size_t f = 0; f != faces.size(); ++f)
    made[f] = std::ranges::all_of(faces.vertices(static_cast<std::int32_t>(f)),
      [&](std::int32_t v) { return is_known[static_cast<std::size_t>(v)]; });
  return made;
}

/// Over these faces.
std::vector<cell_pair> ask_for_pairs(team& all, const cells_of_rank& cells,
  const faces_of_rank& faces, const std::vector<bool>& is_shared) {
  std::vector<std::vector<face_sighting>> out(all.ranks());
  std::vector<std::int64_t> ids;
  for(std::int32_t c = 0; c != static_cast<std::int32_t>(cells.size()); ++c)
    for(const std::int32_t f : faces.of(c))
      if(is_shared[static_cast<std::size_t>(f)]) {
        ids.clear();
        for(const std::int32_t v : faces.vertices(f))
          ids.push_back(
            static_cast<std::int64_t>(cells.vertices.keys()[static_cast<std::size_t>(v)].low));
        const entity_key k = key_of(ids);
        out[rank_that_keeps(k, all.ranks())].push_back({k, cells.first + c});
      }
  const auto told = all.swap_mail(answer(all.swap_mail(out)));
  std::vector<cell_pair> made;
  for(unsigned r = 0; r != all.ranks(); ++r) {
    auto at = told[r].begin();
    for(const face_sighting& c : out[r])
      for(std::int64_t left = *at++; left != 0; --left)
        made.push_back({static_cast<std::int32_t>(c.cell - cells.first), *at++});
  }
  return made;
}

/// Of the given pairs, and of those over the faces that are not apart.
cell_graph graph_of(const cells_of_rank& cells, const faces_of_rank& faces,
  const std::vector<bool>& is_apart, std::vector<cell_pair> pairs) {
  std::ranges::stable_sort(pairs, {}, &cell_pair::own);
  cell_graph made;
  made.begins.reserve(cells.size() + 1);
  made.others.reserve(2 * faces.size() + pairs.size());
  auto pair = pairs.begin();
  for(std::int32_t c = 0; c != static_cast<std::int32_t>(cells.size()); ++c) {
    for(const std::int32_t f : faces.of(c))
      if(!is_apart[static_cast<std::size_t>(f)]) {
        const auto [first, second] = faces.two_with(f);
        if(second != no_second)
          made.others.push_back(cells.first + (first == c ? second : first));
      }
    for(; pair != pairs.end() && pair->own == c; ++pair)
      made.others.push_back(pair->other);
    // Two cells may share several faces, and are neighbours once.
    const auto its =
      std::ranges::subrange(made.others.begin() + made.begins.back(), made.others.end());
    std::ranges::sort(its);
    made.others.erase(std::ranges::unique(its).begin(), made.others.end());
    made.begins.push_back(std::ssize(made.others));
  }
  return made;
}

} // namespace

cell_graph cells_over_faces(team& all, const cells_of_rank& cells) {
  const faces_of_rank faces(cells);
  std::vector<bool> is_apart = may_be_shared(all, cells, faces);
  std::vector<cell_pair> pairs;
  if(all.ranks() > 1)
    pairs = ask_for_pairs(all, cells, faces, is_apart);
  const std::vector<cell_pair> more = crowded(cells, faces, is_apart);
  pairs.insert(pairs.end(), more.begin(), more.end());
  return graph_of(cells, faces, is_apart, std::move(pairs));
}

} // namespace rondo::detail::inline meshes
