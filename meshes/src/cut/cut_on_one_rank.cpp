#include "cut_on_one_rank.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <utility>

namespace rondo::detail::inline meshes {

namespace {

/// What a rank has, on its way to the one that cuts.
struct graph_of_rank {
  std::int64_t first = 0;
  std::size_t rank = 0;
  std::vector<std::int64_t> begins{};
  std::vector<std::int64_t> others{};
};

/// In the order of the cells' numbers, whatever ranks have them. Empty on other ranks than 0.
std::vector<graph_of_rank> collected(team& all, const uncut_cells& cells) {
  const auto to_first_rank = [&](std::vector<std::int64_t> values) {
    std::vector<std::vector<std::int64_t>> out(all.ranks());
    out[0] = std::move(values);
    return all.swap_mail(out);
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

std::vector<color_id> cut_on_one_rank(
  team& all, const uncut_cells& cells, color_id colors, const whole_cut& how) {
  if(colors == 0 || std::cmp_greater(colors, cells.in_all))
    throw std::invalid_argument(how.name + ": " + std::to_string(colors) + " colors of " +
                                std::to_string(cells.in_all) + " cells; each color needs a cell");
  if(colors == 1)
    return std::vector<color_id>(cells.centers.size());
  const std::vector<graph_of_rank> parts = collected(all, cells);
  std::vector<std::vector<color_id>> out(all.ranks());
  std::vector<std::vector<char>> failed(all.ranks());
  if(all.rank() == 0)
    try {
      const std::vector<color_id> color = how.colors_of(whole(parts), colors);
      auto at = color.begin();
      for(const graph_of_rank& p : parts) {
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
  failed = all.swap_mail(failed);
  if(!failed[0].empty())
    throw std::runtime_error(how.name + ": " + std::string(failed[0].begin(), failed[0].end()));
  return std::move(all.swap_mail(out)[0]);
}

void refuse_cut(const std::string& name, const std::string& library, const std::string& package) {
  throw std::runtime_error(name + ": Rondo was built without " + library + " (" + package +
                           "; packages.txt, group [distributed]); cut_refined needs nothing");
}

} // namespace rondo::detail::inline meshes
