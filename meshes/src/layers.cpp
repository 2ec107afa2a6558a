#include "layers.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "keepers.hpp"

namespace rondo::detail::inline meshes {

namespace {

/// Which ranks have cells with a vertex, or a face: each of these is known by one rank, which its key says.
class directory {
public:
  /// What ranks say they have, each once: `in[r]` of rank r.
  explicit directory(const std::vector<std::vector<entity_key>>& in) {
    for(std::size_t r = 0; r != in.size(); ++r)
      for(const entity_key& k : in[r]) {
        const auto n = static_cast<std::size_t>(numbers_.number(k));
        if(n == owners_.size())
          owners_.emplace_back();
        owners_[n].push_back(static_cast<unsigned>(r));
      }
  }
  [[nodiscard]] std::span<const unsigned> owners(const entity_key& k) const {
    const std::int32_t n = numbers_.find(k);
    return n == key_numbers::none ? std::span<const unsigned>()
                                  : std::span<const unsigned>(owners_[static_cast<std::size_t>(n)]);
  }

private:
  key_numbers numbers_;
  std::vector<std::vector<unsigned>> owners_;
};

/// A rank wants the cells with this.
struct wanted {
  entity_key what;
  std::uint64_t by;
};

} // namespace

// Each rank says of which vertices it has cells. What it wants to see from there the keepers of these hand on to the ranks that have more
// cells with them, and these send them. The next layer is what the cells have that have come.
std::vector<bool> fetch_layers(team& all, known_cells& cells, const layers_wish& wish) {
  std::vector<bool> is_shown(cells.own());
  if(all.ranks() == 1)
    return is_shown;
  cell_parts parts(cells, wish.over);
  const cells_with own(parts, cells.own());
  std::vector<std::vector<entity_key>> asked(all.ranks());
  for(std::size_t p = 0; p != parts.size(); ++p) {
    const entity_key k = parts.key(static_cast<std::int32_t>(p));
    asked[rank_that_keeps(k, all.ranks())].push_back(k);
  }
  std::vector<std::vector<entity_key>> asks = all.swap_mail(std::move(asked));
  const directory who(asks);
  parts.remember(std::vector<bool>(parts.size(), true));

  key_numbers sent; // (rank, cell)
  for(unsigned layer = 0; layer != wish.depth; ++layer) {
    std::vector<std::vector<wanted>> handed_on(all.ranks());
    for(std::size_t r = 0; r != asks.size(); ++r)
      for(const entity_key& k : asks[r])
        for(const unsigned owner : who.owners(k))
          if(owner != r)
            handed_on[owner].push_back({k, r});
    cell_mail mail(all.ranks());
    key_numbers with; // vertices that go with them: (rank, vertex)
    for(const std::vector<wanted>& from : all.swap_mail(std::move(handed_on)))
      for(const wanted& w : from)
        for(const std::int32_t cell : own.part(parts.find(w.what))) {
          const auto c = static_cast<std::size_t>(cell);
          if(!sent.add({w.by, c}))
            continue;
          is_shown[c] = true;
          std::vector<std::int64_t> corners;
          for(const std::int32_t v : cells.corners(c)) {
            corners.push_back(cells.vertex_id(v));
            if(with.add({w.by, static_cast<std::uint64_t>(v)}))
              mail.add_vertex(static_cast<unsigned>(w.by), cells.vertex_id(v), cells.at(v));
          }
          mail.add_cell(static_cast<unsigned>(w.by), cells.id(c), cells.color(c), corners);
        }
    const std::size_t parts_before = parts.size();
    const std::size_t cells_before = cells.size();
    mail.send(all, cells);
    if(layer + 1 == wish.depth)
      break;
    std::int64_t have_come[] = {static_cast<std::int64_t>(cells.size() - cells_before)};
    all.add_up(have_come);
    if(have_come[0] == 0)
      break;
    parts.add_new();

    std::vector<std::vector<entity_key>> next(all.ranks());
    for(std::size_t p = parts_before; p != parts.size(); ++p) {
      const entity_key k = parts.key(static_cast<std::int32_t>(p));
      next[rank_that_keeps(k, all.ranks())].push_back(k);
    }
    asks = all.swap_mail(std::move(next));
  }
  return is_shown;
}

std::vector<std::vector<std::int32_t>> seen_by_colors(
  const known_cells& cells, const std::vector<color_id>& mine, const layers_wish& wish) {
  const cell_parts parts(cells, wish.over);
  const cells_with all(parts, cells.size());
  std::vector<std::vector<std::int32_t>> seen(mine.size());
  std::vector<std::size_t> cell_seen_by(cells.size(), mine.size());
  std::vector<std::size_t> part_seen_by(parts.size(), mine.size());
  std::size_t begin = 0;
  for(std::size_t a = 0; a != mine.size(); ++a) {
    std::vector<std::int32_t> layer; // the cells that came last
    for(; begin != cells.own() && cells.color(begin) == mine[a]; ++begin) {
      layer.push_back(static_cast<std::int32_t>(begin));
      cell_seen_by[begin] = a;
    }
    for(unsigned depth = 0; depth != wish.depth && !layer.empty(); ++depth) {
      std::vector<std::int32_t> next;
      for(const std::int32_t c : layer)
        for(const std::int32_t p : parts.of(static_cast<std::size_t>(c))) {
          if(std::exchange(part_seen_by[static_cast<std::size_t>(p)], a) == a)
            continue;
          for(const std::int32_t other : all.part(p))
            if(std::exchange(cell_seen_by[static_cast<std::size_t>(other)], a) != a)
              next.push_back(other);
        }
      seen[a].insert(seen[a].end(), next.begin(), next.end());
      layer = std::move(next);
    }
  }
  return seen;
}

} // namespace rondo::detail::inline meshes
