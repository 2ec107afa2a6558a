#include "link_distances.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace rondo::detail::inline meshes {

namespace {
constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();
}

link_distances::link_distances(team& all, colors_around& cells)
    : all_(all), cells_(cells), is_beside_others_(cells.own()),
      begins_(cells.size() - cells.own() + 1) {
  const auto own = static_cast<std::int32_t>(cells_.own());
  const auto for_each_link_out = [&](const auto& f) {
    for(std::int32_t c = 0; c != own; ++c)
      for(const std::int32_t other : cells_.linked(c))
        if(!is_own(other))
          f(c, static_cast<std::size_t>(other - own));
  };
  for_each_link_out([&](std::int32_t c, std::size_t other) {
    is_beside_others_[static_cast<std::size_t>(c)] = true;
    ++begins_[other + 1];
  });
  for(std::size_t k = 1; k < begins_.size(); ++k)
    begins_[k] += begins_[k - 1];
  linked_.resize(begins_.back());
  std::vector<std::size_t> at = begins_;
  for_each_link_out([&](std::int32_t c, std::size_t other) { linked_[at[other]++] = c; });

  // The least number that gets to a cell is that of the first one of its island.
  std::vector<std::int64_t> least;
  std::vector<std::int32_t> all_own;
  for(std::int32_t c = 0; std::cmp_less(c, cells_.size()); ++c) {
    least.push_back(cells_.number(c));
    if(c < own)
      all_own.push_back(c);
  }
  spread(least, std::move(all_own), 0);
  least.resize(cells_.own());
  islands_ = least;
  std::ranges::sort(islands_);
  islands_.erase(std::unique(islands_.begin(), islands_.end()), islands_.end());
  for(const std::int64_t number : least)
    island_.push_back(
      static_cast<std::int32_t>(std::ranges::lower_bound(islands_, number) - islands_.begin()));
}

/// To the end on this rank, the least values first: so each cell gets its value at once.
void link_distances::spread_here(std::vector<std::int64_t>& values,
  std::vector<std::int32_t> changed, std::int64_t step, std::vector<std::int32_t>& told) const {
  const auto value = [&](std::int32_t c) -> std::int64_t& {
    return values[static_cast<std::size_t>(c)];
  };
  std::ranges::sort(changed, {}, [&](std::int32_t c) { return std::tuple(value(c), c); });
  std::vector<std::int32_t> reached; // their values grow as well
  auto next = changed.begin();
  for(std::size_t at = 0; next != changed.end() || at != reached.size();) {
    const bool is_new =
      next == changed.end() || (at != reached.size() && value(reached[at]) <= value(*next));
    const std::int32_t cell = is_new ? reached[at++] : *next++;
    if(is_beside_others_[static_cast<std::size_t>(cell)])
      told.push_back(cell);
    for(const std::int32_t other : cells_.linked(cell))
      if(is_own(other) && value(other) > value(cell) + step) {
        value(other) = value(cell) + step;
        reached.push_back(other);
      }
  }
}

void link_distances::spread(
  std::vector<std::int64_t>& values, std::vector<std::int32_t> changed, std::int64_t step) const {
  for(;;) {
    std::vector<std::int32_t> told;
    spread_here(values, std::move(changed), step, told);
    std::int64_t count[] = {std::ssize(told)};
    all_.add_up(count);
    if(count[0] == 0)
      return;
    std::ranges::sort(told);
    told.erase(std::unique(told.begin(), told.end()), told.end());
    std::vector<told_of_cell> out;
    for(const std::int32_t c : told)
      out.push_back({c, static_cast<color_id>(values[static_cast<std::size_t>(c)])});
    changed.clear();
    for(const told_of_cell& t : cells_.tell(all_, out)) {
      const std::size_t other = static_cast<std::size_t>(t.cell) - cells_.own();
      const std::int64_t value = static_cast<std::int64_t>(t.color) + step;
      for(std::size_t k = begins_[other]; k != begins_[other + 1]; ++k)
        if(std::int64_t& its = values[static_cast<std::size_t>(linked_[k])]; its > value) {
          its = value;
          changed.push_back(linked_[k]);
        }
    }
    std::ranges::sort(changed);
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  }
}

link_distances::landmarks link_distances::first_of_islands() const {
  landmarks made;
  for(std::int32_t c = 0; is_own(c); ++c)
    if(cells_.number(c) == islands_[static_cast<std::size_t>(island_[static_cast<std::size_t>(c)])])
      made.push_back(c);
  return made;
}

link_distances::numbers link_distances::from(const landmarks& islands) const {
  numbers made(cells_.size(), nowhere);
  for(const std::int32_t c : islands)
    made[static_cast<std::size_t>(c)] = 0;
  spread(made, islands, 1);
  made.resize(cells_.own());
  return made;
}

std::vector<link_distances::of_island> link_distances::best_here(const numbers& scores) const {
  std::vector<of_island> best;
  for(const std::int64_t number : islands_)
    best.push_back({number, std::numeric_limits<std::int64_t>::min(), 0});
  for(std::int32_t c = 0; is_own(c); ++c) {
    const auto place = static_cast<std::size_t>(c);
    of_island& its = best[static_cast<std::size_t>(island_[place])];
    if(scores[place] > its.score)
      its = {its.number, scores[place], cells_.number(c)};
  }
  return best;
}

link_distances::landmarks link_distances::highest(const numbers& scores) const {
  // The rank that has the first cell of an island finds the best of those that ranks have found.
  std::vector<std::vector<of_island>> out(all_.ranks());
  for(const of_island& b : best_here(scores))
    out[cells_.rank_of(b.number)].push_back(b);
  std::vector<of_island> come;
  for(const auto& from : all_.swap_mail(std::move(out)))
    come.insert(come.end(), from.begin(), from.end());
  std::ranges::sort(
    come, {}, [](const of_island& i) { return std::tuple(i.number, -i.score, i.cell); });
  std::vector<std::vector<std::int64_t>> chosen(all_.ranks());
  for(std::size_t k = 0; k != come.size(); ++k)
    if(k == 0 || come[k].number != come[k - 1].number)
      chosen[cells_.rank_of(come[k].cell)].push_back(come[k].cell);
  landmarks made;
  for(const auto& from : all_.swap_mail(std::move(chosen)))
    for(const std::int64_t number : from)
      made.push_back(static_cast<std::int32_t>(number - cells_.number(0)));
  return made;
}

link_distances::numbers link_distances::middles_of_islands(const numbers& half_widths) const {
  std::vector<std::vector<of_island>> out(all_.ranks());
  for(const of_island& b : best_here(half_widths))
    out[cells_.rank_of(b.number)].push_back(b);
  const auto come = all_.swap_mail(std::move(out));
  struct place {
    std::int64_t number;
    std::int64_t half_width;
    std::int64_t middle;
  };
  std::vector<place> places; // of the islands whose first cells are here
  for(const auto& from : come)
    for(const of_island& i : from)
      places.push_back({i.number, i.score, 0});
  std::ranges::sort(places, {}, [](const place& p) { return std::pair(p.number, -p.half_width); });
  const auto twice = std::ranges::unique(places, {}, &place::number);
  places.erase(twice.begin(), twice.end());
  std::int64_t width = 0;
  for(place& p : places) {
    p.middle = width + p.half_width;
    width += 2 * p.half_width + 1;
  }
  const std::int64_t before = all_.before(width); // ranks have cells in the order of their numbers
  std::vector<std::vector<std::int64_t>> told(all_.ranks());
  for(std::size_t r = 0; r != come.size(); ++r)
    for(const of_island& i : come[r])
      told[r].push_back(
        before + std::ranges::lower_bound(places, i.number, {}, &place::number)->middle);
  // Islands are in order here, so what a rank says of them is, too.
  const auto answers = all_.swap_mail(std::move(told));
  std::vector<std::size_t> at(all_.ranks());
  std::vector<std::int64_t> middles;
  for(const std::int64_t number : islands_) {
    const unsigned r = cells_.rank_of(number);
    middles.push_back(answers[r][at[r]++]);
  }
  numbers made;
  for(const std::int32_t i : island_)
    made.push_back(middles[static_cast<std::size_t>(i)]);
  return made;
}

} // namespace rondo::detail::inline meshes
