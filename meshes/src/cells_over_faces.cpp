// Ranks find most pairs alone. A face that other ranks' cells may have, too, has only vertices that other ranks know as well: so
// first they ask the keepers of vertices which these are, and then the keepers of such faces, who has them.

#include "cells_over_faces.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "keepers.hpp"
#include "part_numbers.hpp"

namespace rondo::detail::inline meshes {

namespace {

/// The faces of a rank's cells, and which of the cells have each.
class faces_of_rank {
public:
  explicit faces_of_rank(const cells_of_rank& cells) {
    numbers_.know_vertices(cells.vertices.size());
    std::vector<std::int32_t> faces; // of all cells, one after the other
    std::vector<std::int32_t> of;    // the cell of each
    for(std::size_t c = 0; c != cells.size(); ++c) {
      const auto corners = cells.corners_of(c);
      const std::size_t count =
        parts_of_shape(cells.dimension, corners.size(), element_kind::faces);
      for(std::size_t k = 0; k != count; ++k) {
        faces.push_back(numbers_.number(vertices_at(
          corners, part_of_shape(cells.dimension, corners.size(), element_kind::faces, k))));
        of.push_back(static_cast<std::int32_t>(c));
      }
    }
    begins_.resize(numbers_.size() + 1);
    for(const std::int32_t f : faces)
      ++begins_[static_cast<std::size_t>(f) + 1];
    for(std::size_t f = 0; f != numbers_.size(); ++f)
      begins_[f + 1] += begins_[f];
    std::vector<std::size_t> at(begins_.begin(), begins_.end() - 1);
    cells_.resize(faces.size());
    for(std::size_t k = 0; k != faces.size(); ++k)
      cells_[at[static_cast<std::size_t>(faces[k])]++] = of[k];
  }

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] std::span<const std::int32_t> vertices(std::size_t face) const {
    const few_vertices& its = numbers_.vertices(static_cast<std::int32_t>(face));
    return {its.begin(), std::find(its.begin(), its.end(), -1)};
  }
  [[nodiscard]] std::span<const std::int32_t> cells(std::size_t face) const {
    return std::span(cells_).subspan(begins_[face], begins_[face + 1] - begins_[face]);
  }

private:
  part_numbers numbers_;
  std::vector<std::size_t> begins_;
  std::vector<std::int32_t> cells_;
};

/// Of each vertex of this rank whether other ranks know it, too.
std::vector<bool> known_elsewhere(team& all, const std::vector<entity_key>& vertices) {
  std::vector<std::vector<std::uint64_t>> out(all.ranks());
  for(const entity_key& k : vertices)
    out[rank_that_keeps(k, all.ranks())].push_back(k.low);
  const auto asked = all.exchange(out);
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
  const auto told = all.exchange(answers);
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

void pair_up(
  std::span<const std::int32_t> own, const std::int64_t first, std::vector<cell_pair>& into) {
  for(const std::int32_t a : own)
    for(const std::int32_t b : own)
      if(a != b)
        into.push_back({a, first + b});
}

struct face_claim {
  entity_key face;
  std::int64_t cell; ///< Of this one.
};

/// All cells that have one of the faces. Answers to claims are these: how many others have the face, and which.
std::vector<std::vector<std::int64_t>> answer(const std::vector<std::vector<face_claim>>& claims) {
  std::size_t expected = 0;
  for(const auto& from : claims)
    expected += from.size();
  key_numbers numbers(expected);
  std::vector<std::int32_t> face_of;
  std::vector<std::size_t> begins{0, 0};
  for(const auto& from : claims)
    for(const face_claim& c : from) {
      face_of.push_back(numbers.number(c.face));
      begins.resize(numbers.size() + 2);
      ++begins[static_cast<std::size_t>(face_of.back()) + 2];
    }
  for(std::size_t f = 2; f < begins.size(); ++f)
    begins[f] += begins[f - 1];
  std::vector<std::int64_t> cells(face_of.size());
  std::size_t k = 0;
  for(const auto& from : claims)
    for(const face_claim& c : from)
      cells[begins[static_cast<std::size_t>(face_of[k++]) + 1]++] = c.cell;

  std::vector<std::vector<std::int64_t>> answers(claims.size());
  k = 0;
  for(std::size_t r = 0; r != claims.size(); ++r)
    for(const face_claim& c : claims[r]) {
      const auto f = static_cast<std::size_t>(face_of[k++]);
      answers[r].push_back(static_cast<std::int64_t>(begins[f + 1] - begins[f]) - 1);
      for(std::size_t n = begins[f]; n != begins[f + 1]; ++n)
        if(cells[n] != c.cell)
          answers[r].push_back(cells[n]);
    }
  return answers;
}

/// Of faces that others may have, too.
void ask_for_pairs(team& all, const cells_of_rank& cells, const faces_of_rank& faces,
  const std::vector<bool>& may_be_shared, std::vector<cell_pair>& into) {
  std::vector<std::vector<face_claim>> out(all.ranks());
  std::vector<std::int64_t> ids;
  for(std::size_t f = 0; f != faces.size(); ++f)
    if(may_be_shared[f]) {
      ids.clear();
      for(const std::int32_t v : faces.vertices(f))
        ids.push_back(
          static_cast<std::int64_t>(cells.vertices.keys()[static_cast<std::size_t>(v)].low));
      const entity_key k = key_of(ids);
      for(const std::int32_t c : faces.cells(f))
        out[rank_that_keeps(k, all.ranks())].push_back({k, cells.first + c});
    }
  const auto told = all.exchange(answer(all.exchange(out)));
  for(unsigned r = 0; r != all.ranks(); ++r) {
    auto at = told[r].begin();
    for(const face_claim& c : out[r])
      for(std::int64_t left = *at++; left != 0; --left)
        into.push_back({static_cast<std::int32_t>(c.cell - cells.first), *at++});
  }
}

cell_graph graph_of(std::size_t cells, const std::vector<cell_pair>& pairs) {
  std::vector<std::int64_t> ends(cells + 1);
  for(const cell_pair& p : pairs)
    ++ends[static_cast<std::size_t>(p.own) + 1];
  for(std::size_t c = 0; c != cells; ++c)
    ends[c + 1] += ends[c];
  cell_graph made;
  made.others.resize(pairs.size());
  std::vector<std::int64_t> at(ends.begin(), ends.end() - 1);
  for(const cell_pair& p : pairs)
    made.others[static_cast<std::size_t>(at[static_cast<std::size_t>(p.own)]++)] = p.other;
  // Two cells may share several faces, and are neighbours once.
  made.begins.reserve(cells + 1);
  auto to = made.others.begin();
  for(std::size_t c = 0; c != cells; ++c) {
    const auto begin = made.others.begin() + ends[c];
    const auto end = made.others.begin() + ends[c + 1];
    std::sort(begin, end);
    to = std::copy(begin, std::unique(begin, end), to);
    made.begins.push_back(to - made.others.begin());
  }
  made.others.erase(to, made.others.end());
  return made;
}

} // namespace

cell_graph cells_over_faces(team& all, const cells_of_rank& cells) {
  const faces_of_rank faces(cells);
  std::vector<bool> may_be_shared(faces.size());
  if(all.ranks() > 1) {
    const std::vector<bool> is_known = known_elsewhere(all, cells.vertices.keys());
    for(std::size_t f = 0; f != faces.size(); ++f) {
      const auto its = faces.vertices(f);
      may_be_shared[f] = std::all_of(its.begin(), its.end(),
        [&](std::int32_t v) { return is_known[static_cast<std::size_t>(v)]; });
    }
  }
  std::vector<cell_pair> pairs;
  pairs.reserve(2 * faces.size());
  for(std::size_t f = 0; f != faces.size(); ++f)
    if(!may_be_shared[f])
      pair_up(faces.cells(f), cells.first, pairs);
  if(all.ranks() > 1)
    ask_for_pairs(all, cells, faces, may_be_shared, pairs);
  return graph_of(cells.size(), pairs);
}

} // namespace rondo::detail::inline meshes
