#include "colors_around.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace rondo::detail::inline meshes {

colors_around::colors_around(team& all, const uncut_cells& cells, std::vector<color_id> cut)
    : ranks_(all, cells), first_(cells.first), colors_(std::move(cut)) {
  const cell_graph graph = cells.graph();
  begins_.assign(graph.begins.begin(), graph.begins.end());
  const auto count = static_cast<std::int64_t>(graph.cells());
  const auto is_own = [&](std::int64_t number) {
    return number >= first_ && number < first_ + count;
  };
  std::ranges::copy_if(graph.others, std::back_inserter(others_),
    [&](std::int64_t number) { return !is_own(number); });
  std::ranges::sort(others_);
  others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
  linked_.reserve(graph.others.size());
  for(const std::int64_t number : graph.others)
    linked_.push_back(static_cast<std::int32_t>(
      is_own(number) ? number - first_
                     : count + (std::ranges::lower_bound(others_, number) - others_.begin())));
  listen(all);

  std::vector<told_of_cell> its;
  for(const listener& l : listeners_)
    if(its.empty() || its.back().cell != l.cell)
      its.push_back({l.cell, color(l.cell)});
  colors_.resize(own() + others_.size());
  set_colors(all, its);
}

void colors_around::listen(team& all) {
  using wish =
    std::array<std::int64_t, 2>; // the number of a cell, and its place on the rank that listens
  std::vector<std::vector<wish>> out(all.ranks());
  for(std::size_t k = 0; k != others_.size(); ++k)
    out[rank_of(others_[k])].push_back({others_[k], static_cast<std::int64_t>(own() + k)});
  const auto in = all.swap_mail(out);
  for(unsigned r = 0; r != all.ranks(); ++r)
    for(const auto& [number, there] : in[r])
      listeners_.push_back(
        {static_cast<std::int32_t>(number - first_), r, static_cast<std::int32_t>(there)});
  std::ranges::stable_sort(listeners_, {}, &listener::cell);
}

std::vector<told_of_cell> colors_around::tell(team& all, std::span<const told_of_cell> of_own) {
  std::vector<std::vector<told_of_cell>> out(all.ranks());
  auto begin = listeners_.begin();
  for(const told_of_cell& t : of_own) {
    begin = std::ranges::lower_bound(begin, listeners_.end(), t.cell, {}, &listener::cell);
    for(auto l = begin; l != listeners_.end() && l->cell == t.cell; ++l)
      out[l->rank].push_back({l->there, t.color});
  }
  std::vector<told_of_cell> told;
  for(const auto& from : all.swap_mail(out))
    told.insert(told.end(), from.begin(), from.end());
  return told;
}

void colors_around::set_colors(team& all, std::span<const told_of_cell> of_own) {
  for(const told_of_cell& t : of_own)
    colors_[static_cast<std::size_t>(t.cell)] = t.color;
  for(const told_of_cell& t : tell(all, of_own))
    colors_[static_cast<std::size_t>(t.cell)] = t.color;
}

} // namespace rondo::detail::inline meshes
