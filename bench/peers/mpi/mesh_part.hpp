#pragma once

// The part of an unstructured mesh that a process has, as a program by hand would get it from a partitioner: the very cells, in the very order,
// that Rondo gives a rank with one color. Rondo's set-up makes it, without a scheduler and without messages, since what is compared here is
// the loop: each process cuts the whole mesh, and keeps its part.
//
// Of each kind of elements those are first that no other process sees, then those that others see, then ghosts: those of
// one process after the other, in the order in which they come.

#include "peers/mpi/program.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <mpi.h>
#include <rondo/meshes/assemble.hpp>

namespace bench::mpi {

using number = std::int32_t;

// Which processes see which of a process's elements, and whose elements it sees.
struct seen_by {
  int rank;
  std::vector<number> rim; // seen by that one, in the order of its ghosts
  number first_ghost;      // those of that one, here
  number ghosts;
};

struct elements {
  number inner = 0; // seen by nobody else
  number owned = 0;
  number all = 0;
  std::vector<std::int64_t> ids;
  std::vector<seen_by> others;
};

// Rows of numbers, compressed.
struct table {
  std::vector<number> begins{0};
  std::vector<number> entries;
};

inline std::vector<number> numbers_in(const rondo::detail::selection& s) {
  std::vector<number> all;
  for(const auto& b : s.boxes())
    for(auto k = b.lo[0]; k != b.hi[0]; ++k)
      all.push_back(static_cast<number>(k));
  return all;
}

inline elements elements_of(const rondo::detail::color_elements& e) {
  elements made{static_cast<number>(e.inner), static_cast<number>(e.owned),
    static_cast<number>(e.all), e.ids, {}};
  for(const auto& n : e.neighbours) {
    const std::vector<number> ghosts = numbers_in(n.ghosts);
    made.others.push_back({static_cast<int>(n.color), numbers_in(n.rim),
      ghosts.empty() ? made.owned : ghosts.front(), static_cast<number>(ghosts.size())});
  }
  return made;
}

inline table table_of(const rondo::detail::element_table& t, number rows) {
  table made;
  for(number r = 0; r != rows; ++r) {
    const auto [first, size] = t.row(r);
    made.entries.insert(made.entries.end(), first, first + size);
    made.begins.push_back(static_cast<number>(made.entries.size()));
  }
  return made;
}

// `pieces` is one of Rondo's boxes.
template<class Pieces>
rondo::detail::color_mesh part_of_mesh(const world& w, const Pieces& pieces,
  rondo::element_kind over, const rondo::detail::mesh_wish& wish) {
  rondo::detail::team alone;
  auto whole = rondo::detail::assemble(alone, pieces(0, 1),
    {.colors = static_cast<rondo::color_id>(w.size), .over = over, .wish = wish});
  return std::move(whole.parts[static_cast<std::size_t>(w.rank)]);
}

} // namespace bench::mpi
