#include "numbering.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace rondo::detail::inline meshes {

namespace {

using words = std::vector<std::vector<std::uint64_t>>; ///< For each rank, or of each.

/// A color sees these elements of another one.
struct sight {
  color_id by;
  color_id of;
  std::vector<std::int32_t> what;
};

/// Ghosts by their owners; each color's one after the other.
std::vector<sight> sights_of(const std::vector<color_id>& mine, std::vector<unnumbered>& colors) {
  std::vector<sight> all;
  for(std::size_t a = 0; a != mine.size(); ++a) {
    auto& ghosts = colors[a].ghosts;
    std::stable_sort(
      ghosts.begin(), ghosts.end(), [](const auto& g, const auto& h) { return g.owner < h.owner; });
    for(const unnumbered::ghost& g : ghosts) {
      if(all.empty() || all.back().by != mine[a] || all.back().of != g.owner)
        all.push_back({mine[a], g.owner, {}});
      all.back().what.push_back(g.what);
    }
    ghosts = {};
  }
  return all;
}

/// Says to owners on other ranks what is seen.
words requests(team& all, const numbered_kind& kind, const std::vector<sight>& sights,
  const rank_of_color& rank_of) {
  words out(all.ranks());
  for(const sight& s : sights) {
    if(rank_of(s.of) == all.rank())
      continue;
    std::vector<std::uint64_t>& to = out[rank_of(s.of)];
    to.insert(to.end(), {s.by, s.of, s.what.size()});
    for(const std::int32_t e : s.what) {
      const entity_key k = kind.key(e);
      to.insert(to.end(), {k.high, k.low});
    }
  }
  return all.swap_mail(std::move(out));
}

std::int64_t checked_count(std::size_t n) {
  if(n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::invalid_argument("rondo::unstructured: a color has " + std::to_string(n) +
                                " elements, and may have 2,147,483,647; make more colors");
  return static_cast<std::int64_t>(n);
}

/// The entry for another color that a color exchanges elements with; made if it is not there.
neighbour& neighbour_of(color_elements& e, color_id color, color_id other) {
  auto at = std::ranges::find(e.neighbours, other, &neighbour::color);
  if(at == e.neighbours.end())
    at = e.neighbours.insert(at, {other, other, color, {}, {}, {}});
  return *at;
}

} // namespace

std::vector<std::vector<std::int32_t>> number_elements(team& all, const numbered_kind& kind,
  const std::vector<color_id>& mine, std::vector<unnumbered> colors, const rank_of_color& rank_of,
  const std::function<color_elements&(std::size_t)>& into) {
  const std::vector<sight> sights = sights_of(mine, colors);
  const words asked = requests(all, kind, sights, rank_of);
  const auto local = [&](color_id c) {
    return static_cast<std::size_t>(std::lower_bound(mine.begin(), mine.end(), c) - mine.begin());
  };

  // What others see of this rank's colors: by their ranks, as these have asked.
  std::vector<std::vector<sight>> shown(asked.size());
  std::vector<bool> is_rim(kind.known);
  for(const sight& s : sights)
    if(rank_of(s.of) == all.rank())
      shown[all.rank()].push_back(s);
  for(std::size_t r = 0; r != asked.size(); ++r)
    for(std::size_t k = 0; k != asked[r].size();) {
      sight s{asked[r][k], asked[r][k + 1], {}};
      const std::uint64_t count = asked[r][k + 2];
      k += 3;
      for(std::uint64_t n = 0; n != count; ++n, k += 2)
        s.what.push_back(kind.find({asked[r][k], asked[r][k + 1]}));
      shown[r].push_back(std::move(s));
    }
  for(const std::vector<sight>& to : shown)
    for(const sight& s : to)
      for(const std::int32_t e : s.what)
        is_rim[static_cast<std::size_t>(e)] = true;

  std::vector<std::vector<std::int32_t>> numbered(mine.size());
  std::vector<std::int32_t> number(kind.known, -1); // that an element has in the color that owns it
  for(std::size_t a = 0; a != mine.size(); ++a) {
    std::vector<std::int32_t>& order = numbered[a];
    order = std::move(colors[a].owned);
    color_elements& its = into(a);
    if(!kind.keeps_order)
      its.inner = std::stable_partition(order.begin(), order.end(), [&](std::int32_t e) {
        return !is_rim[static_cast<std::size_t>(e)];
      }) - order.begin();
    its.owned = checked_count(order.size());
    for(std::size_t n = 0; n != order.size(); ++n)
      number[static_cast<std::size_t>(order[n])] = static_cast<std::int32_t>(n);
  }

  words answers(all.ranks());
  for(std::size_t r = 0; r != shown.size(); ++r)
    for(const sight& s : shown[r]) {
      color_elements& its = into(local(s.of));
      std::vector<std::int64_t> rim;
      for(const std::int32_t e : s.what)
        rim.push_back(number[static_cast<std::size_t>(e)]);
      answers[r].push_back(static_cast<std::uint64_t>(its.owned));
      answers[r].insert(answers[r].end(), rim.begin(), rim.end());
      std::sort(rim.begin(), rim.end());
      neighbour_of(its, s.of, s.by).rim = selection::of_list(rim);
    }
  const words told = all.swap_mail(std::move(answers));

  std::vector<std::size_t> at(told.size());
  for(const sight& s : sights) {
    const unsigned r = rank_of(s.of);
    const std::size_t a = local(s.by);
    color_elements& its = into(a);
    its.owned_by[s.of] = static_cast<std::int64_t>(told[r][at[r]++]);
    std::vector<std::pair<std::int64_t, std::int32_t>> there; // number at its owner, element
    for(const std::int32_t e : s.what)
      there.emplace_back(static_cast<std::int64_t>(told[r][at[r]++]), e);
    std::sort(there.begin(), there.end());
    std::vector<std::int64_t> source;
    const auto first = checked_count(numbered[a].size());
    for(const auto& [n, e] : there) {
      source.push_back(n);
      numbered[a].push_back(e);
    }
    neighbour& other = neighbour_of(its, s.by, s.of);
    other.ghosts = selection::of_range(first, checked_count(numbered[a].size()));
    other.source = selection::of_list(source);
  }
  for(std::size_t a = 0; a != mine.size(); ++a) {
    color_elements& its = into(a);
    its.all = checked_count(numbered[a].size());
    std::ranges::sort(its.neighbours, {}, &neighbour::color);
    for(const neighbour& n : its.neighbours)
      its.owned_by.try_emplace(n.color, 0);
  }
  return numbered;
}

} // namespace rondo::detail::inline meshes
