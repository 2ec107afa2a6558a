#include "owners.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "keepers.hpp"

namespace rondo::detail::inline meshes {

namespace {
struct sighting {
  entity_key what;
  color_id by;
};
} // namespace

std::vector<color_id> owners_of(team& all, const known_cells& cells, cell_parts& parts,
  const std::vector<bool>& is_shown, bool knows_all_around) {
  std::vector<color_id> owners(parts.size(), std::numeric_limits<color_id>::max());
  for(std::size_t c = 0; c != cells.size(); ++c)
    for(const std::int32_t p : parts.of(c)) {
      color_id& owner = owners[static_cast<std::size_t>(p)];
      owner = std::min(owner, cells.color(c));
    }
  if(all.ranks() == 1)
    return owners;

  // What no two ranks know nobody asks about. Of what one rank sees of another one that one knows all cells, and says which is first.
  std::vector<bool> is_shared(parts.size(), !knows_all_around);
  for(std::size_t c = 0; c != cells.size(); ++c)
    if(c >= cells.own() || is_shown[c])
      for(const std::int32_t p : parts.of(c))
        is_shared[static_cast<std::size_t>(p)] = true;
  parts.remember(is_shared);
  std::vector<std::vector<sighting>> out(all.ranks());
  std::vector<std::vector<std::int32_t>> which(all.ranks());
  for(std::size_t p = 0; p != parts.size(); ++p)
    if(is_shared[p]) {
      const entity_key k = parts.key(static_cast<std::int32_t>(p));
      const unsigned keeper = rank_that_keeps(k, all.ranks());
      out[keeper].push_back({k, owners[p]});
      which[keeper].push_back(static_cast<std::int32_t>(p));
    }
  const std::vector<std::vector<sighting>> sightings = all.swap_mail(std::move(out));
  key_numbers numbers;
  std::vector<color_id> least;
  for(const auto& from : sightings)
    for(const sighting& c : from) {
      const auto n = static_cast<std::size_t>(numbers.number(c.what));
      if(n == least.size())
        least.push_back(c.by);
      least[n] = std::min(least[n], c.by);
    }
  std::vector<std::vector<color_id>> answers(all.ranks());
  for(std::size_t r = 0; r != sightings.size(); ++r)
    for(const sighting& c : sightings[r])
      answers[r].push_back(least[static_cast<std::size_t>(numbers.find(c.what))]);
  const std::vector<std::vector<color_id>> told = all.swap_mail(std::move(answers));
  for(std::size_t r = 0; r != told.size(); ++r)
    for(std::size_t k = 0; k != told[r].size(); ++k)
      owners[static_cast<std::size_t>(which[r][k])] = told[r][k];
  return owners;
}

} // namespace rondo::detail::inline meshes
