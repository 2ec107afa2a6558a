#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <rondo/meshes/cut.hpp>

#if RONDO_HAS_METIS
#include "metis/metis.hpp"
#endif

namespace rondo {

#if RONDO_HAS_METIS

namespace detail::inline meshes {

namespace {

/// What a rank has, on its way to the one that cuts.
struct graph_of_rank {
  std::int64_t first = 0;
  std::size_t rank = 0;
  std::vector<std::int64_t> begins{};
  std::vector<std::int64_t> others{};
};

/// In the order of the cells' numbers, whatever ranks have them. Empty on other ranks than 0.
std::vector<graph_of_rank> gathered(team& all, const uncut_cells& cells) {
  const auto to_first_rank = [&](std::vector<std::int64_t> values) {
    std::vector<std::vector<std::int64_t>> out(all.ranks());
    out[0] = std::move(values);
    return all.exchange(out);
  };
  cell_graph own = cells.graph();
  own.begins.push_back(cells.first);
  auto begins = to_first_rank(std::move(own.begins));
  auto others = to_first_rank(std::move(own.others));
  std::vector<graph_of_rank> made;
  if(all.rank() == 0)
    for(std::size_t r = 0; r != begins.size(); ++r) {
      const std::int64_t first = begins[r].back();
      begins[r].pop_back();
      if(begins[r].size() > 1)
        made.push_back({first, r, std::move(begins[r]), std::move(others[r])});
    }
  std::ranges::sort(made, {}, &graph_of_rank::first);
  return made;
}

cell_graph whole(const std::vector<graph_of_rank>& parts) {
  cell_graph made;
  for(const graph_of_rank& p : parts) {
    const std::int64_t before = made.begins.back();
    for(auto b = p.begins.begin() + 1; b != p.begins.end(); ++b)
      made.begins.push_back(before + *b);
    made.others.insert(made.others.end(), p.others.begin(), p.others.end());
  }
  return made;
}

} // namespace

} // namespace detail::inline meshes

std::vector<color_id> cut_by_metis(detail::team& all, const uncut_cells& cells, color_id colors) {
  if(colors == 0 || std::cmp_greater(colors, cells.in_all))
    throw std::invalid_argument("rondo::cut_by_metis: " + std::to_string(colors) + " colors of " +
                                std::to_string(cells.in_all) + " cells; each color needs a cell");
  if(colors == 1)
    return std::vector<color_id>(cells.centers.size());
  const std::vector<detail::graph_of_rank> parts = detail::gathered(all, cells);
  std::vector<std::vector<color_id>> out(all.ranks());
  std::vector<std::vector<char>> failed(all.ranks());
  if(all.rank() == 0)
    try {
      const std::vector<color_id> color = detail::colors_by_metis(detail::whole(parts), colors);
      auto at = color.begin();
      for(const detail::graph_of_rank& p : parts) {
        const auto end = at + std::ssize(p.begins) - 1;
        out[p.rank].assign(at, end);
        at = end;
      }
    }
    catch(const std::exception& e) {
      // So that all ranks throw, and none waits.
      const std::string what = e.what();
      failed.assign(all.ranks(), {what.begin(), what.end()});
    }
  failed = all.exchange(failed);
  if(!failed[0].empty())
    throw std::runtime_error(
      "rondo::cut_by_metis: " + std::string(failed[0].begin(), failed[0].end()));
  return std::move(all.exchange(out)[0]);
}

#else

std::vector<color_id> cut_by_metis(
  detail::team& /*all*/, const uncut_cells& /*cells*/, color_id /*colors*/) {
  throw std::runtime_error("rondo::cut_by_metis: Rondo was built without METIS (libmetis-dev; "
                           "packages.txt, group [distributed]); cut_refined needs nothing");
}

#endif

} // namespace rondo
