// Borders of a cut get shorter pair by pair of colors: see border.cpp for what is done with a pair. Cells stay on the ranks that
// have them. For each round these send the cells near the borders that are worked on then, and are told the new colors: so
// whatever rank works on a pair sees the same cells, in the order of their numbers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <rondo/meshes/cut.hpp>

#include "border.hpp"
#include "colors_around.hpp"
#include "entity_key.hpp"
#include "rounds_of_pairs.hpp"

namespace rondo {

namespace detail::inline meshes {

namespace {

/// Borders move by some cells in a sweep over all pairs. After the second sweep there is next to nothing to win.
constexpr unsigned most_sweeps = 2;

/// An own cell that may change from one color of a pair to the other one.
struct candidate {
  color_pair colors;
  std::int32_t cell;

  friend constexpr auto operator<=>(const candidate&, const candidate&) = default;
};

/// A cell on its way to the rank that works on its border. Its links follow it.
struct sent_cell {
  std::int64_t number = 0;
  color_pair colors{};
  std::uint32_t links = 0;
  std::uint8_t color = 0; ///< 0 or 1: the first or second one of the pair.
};
/// A cell that shares a face with it, and has one of the colors.
struct sent_link {
  std::int64_t number : 63;
  std::uint64_t color : 1;
};
struct sent_cells {
  std::vector<std::vector<sent_cell>> cells;
  std::vector<std::vector<sent_link>> links;

  explicit sent_cells(unsigned ranks) : cells(ranks), links(ranks) {}
};

/// A cell that has come.
struct come_cell {
  sent_cell its{};
  const sent_link* links = nullptr;
};

struct new_color {
  std::int64_t number = 0;
  color_id color = 0;
};

template<class T>
void sort_unique(std::vector<T>& v) {
  std::ranges::sort(v);
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

/// All cells of one pair, in the order of their numbers.
border border_of(std::span<const come_cell> come) {
  const auto key = [](std::int64_t number) {
    return entity_key{0, static_cast<std::uint64_t>(number)};
  };
  key_numbers places(come.size());
  for(const come_cell& c : come)
    places.number(key(c.its.number));
  border b;
  b.cells.reserve(come.size());
  b.begins.reserve(come.size() + 1);
  for(const come_cell& c : come) {
    border::cell& made = b.cells.emplace_back();
    made.color = c.its.color;
    for(const sent_link& l : std::span(c.links, c.its.links)) {
      if(const std::int32_t place = places.find(key(l.number)); place != key_numbers::none)
        b.linked.push_back(place);
      else
        ++made.around[l.color];
    }
    b.begins.push_back(static_cast<std::int32_t>(b.linked.size()));
  }
  return b;
}

class refinement {
public:
  refinement(team& all, const uncut_cells& cells, std::vector<color_id> cut)
      : all_(all), first_(cells.first), cells_(all, cells, std::move(cut)) {
    const auto own = static_cast<std::int32_t>(cells_.own());
    for(std::int32_t c = 0; c != own; ++c)
      if(std::ranges::any_of(cells_.linked(c), [&](std::int32_t other) { return other >= own; }))
        beside_others_.push_back(c);
  }

  std::vector<color_id> make() && {
    for(unsigned sweep = 0; sweep != most_sweeps; ++sweep) {
      std::int64_t won[] = {this->sweep()};
      all_.add_up(won);
      if(won[0] <= 0)
        break;
    }
    return std::move(cells_).own_colors();
  }

private:
  [[nodiscard]] bool is_own(std::int32_t cell) const {
    return static_cast<std::size_t>(cell) < cells_.own();
  }

  /// Cells beside ones of other colors, and of which colors. Counts faces between colors.
  std::vector<told_of_cell> at_borders(std::vector<color_pair>& faces) const {
    std::vector<told_of_cell> made;
    for(std::int32_t c = 0; c != static_cast<std::int32_t>(cells_.own()); ++c) {
      const color_id color = cells_.color(c);
      const std::size_t begin = made.size();
      for(const std::int32_t other : cells_.linked(c))
        if(const color_id its = cells_.color(other); its != color) {
          made.push_back({c, its});
          if(color < its)
            faces.push_back({color, its});
        }
      const auto mine =
        std::ranges::subrange(made.begin() + static_cast<std::ptrdiff_t>(begin), made.end());
      std::ranges::sort(mine);
      made.erase(std::ranges::unique(mine).begin(), made.end());
    }
    return made;
  }
  /// And those that only cells of their color are between.
  std::vector<told_of_cell> near_borders(std::vector<told_of_cell> at) {
    std::vector<told_of_cell> others = cells_.tell(all_, at);
    std::ranges::sort(others);
    const std::size_t count = at.size();
    for(std::size_t k = 0; k != count; ++k) {
      const told_of_cell t = at[k];
      for(const std::int32_t other : cells_.linked(t.cell))
        if(is_own(other) && cells_.color(other) == cells_.color(t.cell))
          at.push_back({other, t.color});
    }
    for(const std::int32_t c : beside_others_)
      for(const std::int32_t other : cells_.linked(c))
        if(!is_own(other) && cells_.color(other) == cells_.color(c))
          for(const told_of_cell& t :
            std::ranges::equal_range(others, other, {}, &told_of_cell::cell))
            at.push_back({c, t.color});
    sort_unique(at);
    return at;
  }
  /// A cell is one of each pair of the colors that it has and is near to: after a round it may have another one of these.
  std::vector<candidate> candidates(const std::vector<told_of_cell>& near) const {
    std::vector<candidate> made;
    std::vector<color_id> colors;
    for(auto at = near.begin(); at != near.end();) {
      const std::int32_t cell = at->cell;
      colors.assign(1, cells_.color(cell));
      for(; at != near.end() && at->cell == cell; ++at)
        colors.push_back(at->color);
      std::ranges::sort(colors);
      for(auto a = colors.begin(); a != colors.end(); ++a)
        for(auto b = a + 1; b != colors.end(); ++b)
          made.push_back({{*a, *b}, cell});
    }
    std::ranges::sort(made);
    return made;
  }

  /// Returns how many faces between colors there are less; each is counted by one rank.
  std::int64_t sweep() {
    std::vector<color_pair> faces;
    const std::vector<candidate> all = candidates(near_borders(at_borders(faces)));
    std::ranges::sort(faces);
    std::vector<pair_with_border> pairs;
    std::vector<std::span<const candidate>> cells_of; // each pair
    for(auto at = all.begin(); at != all.end();) {
      const auto end =
        std::find_if(at, all.end(), [&](const candidate& c) { return c.colors != at->colors; });
      pairs.push_back({at->colors, std::ssize(std::ranges::equal_range(faces, at->colors))});
      cells_of.emplace_back(at, end);
      at = end;
    }
    const rounds_of_pairs rounds = deal_rounds(all_, pairs);
    std::vector<std::vector<std::size_t>> in_round(rounds.rounds);
    for(std::size_t p = 0; p != pairs.size(); ++p)
      if(rounds.turns[p].round != turn_of_pair::never)
        in_round[static_cast<std::size_t>(rounds.turns[p].round)].push_back(p);
    std::int64_t won = 0;
    for(const auto& its : in_round) {
      sent_cells out(all_.ranks());
      for(const std::size_t p : its)
        send(cells_of[p], rounds.turns[p].rank, out);
      won += round(out);
    }
    return won;
  }

  void send(std::span<const candidate> its, unsigned to, sent_cells& out) const {
    for(const candidate& c : its) {
      const color_id color = cells_.color(c.cell);
      if(color != c.colors.first && color != c.colors.second)
        continue;
      sent_cell sent{.number = cells_.number(c.cell),
        .colors = c.colors,
        .color = static_cast<std::uint8_t>(color == c.colors.second)};
      for(const std::int32_t other : cells_.linked(c.cell))
        if(const color_id its_color = cells_.color(other);
           its_color == c.colors.first || its_color == c.colors.second) {
          out.links[to].push_back(
            {.number = cells_.number(other), .color = its_color == c.colors.second});
          ++sent.links;
        }
      out.cells[to].push_back(sent);
    }
  }

  std::int64_t round(const sent_cells& out) {
    const auto cells = all_.swap_mail(out.cells);
    const auto links = all_.swap_mail(out.links);
    std::vector<come_cell> come;
    for(std::size_t r = 0; r != cells.size(); ++r) {
      const sent_link* at = links[r].data();
      for(const sent_cell& c : cells[r]) {
        come.push_back({c, at});
        at += c.links;
      }
    }
    const auto key = [](const come_cell& c) { return std::tuple(c.its.colors, c.its.number); };
    std::ranges::sort(come, {}, key);

    std::int64_t won = 0;
    std::vector<std::vector<new_color>> changes(all_.ranks());
    for(auto at = come.begin(); at != come.end();) {
      const color_pair colors = at->its.colors;
      const auto end =
        std::find_if(at, come.end(), [&](const come_cell& c) { return c.its.colors != colors; });
      const std::span<const come_cell> its(at, end);
      border b = border_of(its);
      won += shorten(b);
      for(std::size_t k = 0; k != its.size(); ++k)
        if(b.cells[k].color != its[k].its.color) {
          const std::int64_t number = its[k].its.number;
          changes[cells_.rank_of(number)].push_back(
            {number, b.cells[k].color == 0 ? colors.first : colors.second});
        }
      at = end;
    }
    std::vector<told_of_cell> changed;
    for(const auto& from : all_.swap_mail(changes))
      for(const new_color& n : from)
        changed.push_back({static_cast<std::int32_t>(n.number - first_), n.color});
    std::ranges::sort(changed);
    cells_.set_colors(all_, changed);
    return won;
  }

  team& all_;
  std::int64_t first_;
  colors_around cells_;
  std::vector<std::int32_t>
    beside_others_; ///< Own cells that share faces with those of other ranks.
};

} // namespace

} // namespace detail::inline meshes

std::vector<color_id> refined_cut(
  detail::team& all, const uncut_cells& cells, std::vector<color_id> cut) {
  if(!cells.graph)
    throw std::invalid_argument("rondo::refined_cut: needs the graph of the cells");
  return detail::refinement(all, cells, std::move(cut)).make();
}

std::vector<color_id> cut_refined(detail::team& all, const uncut_cells& cells, color_id colors) {
  std::vector<color_id> cut = cut_by_bisection(all, cells, colors);
  return colors == 1 ? cut : refined_cut(all, cells, std::move(cut));
}

} // namespace rondo
