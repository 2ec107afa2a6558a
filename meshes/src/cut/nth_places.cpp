#include "nth_places.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace rondo::detail::inline meshes {

namespace {

/// Some bits of a place.
struct digit {
  bool is_of_number = false;
  unsigned shift = 0;
  unsigned width = 0;

  [[nodiscard]] std::uint64_t of(const cut_place& p) const {
    const std::uint64_t word = is_of_number ? static_cast<std::uint64_t>(p.number) : p.key;
    return word >> shift & ((std::uint64_t{1} << width) - 1);
  }
};

/// From the highest one on.
std::vector<digit> digits(unsigned width, unsigned number_bits) {
  std::vector<digit> made;
  for(const bool is_of_number : {false, true})
    for(unsigned left = is_of_number ? number_bits : 63; left != 0;) {
      const unsigned taken = std::min(width, left);
      left -= taken;
      made.push_back({is_of_number, left, taken});
    }
  return made;
}

/// One of the parts.
struct search {
  std::vector<cut_place> left; ///< On this rank.
  std::uint64_t n = 0;         ///< The place looked for is the n-th one of those left on all ranks.
};

/// Leaves those that have the same digit as the place looked for. Returns how many are left of all parts on all ranks.
std::uint64_t narrow(team& all, std::span<search> parts, const digit& d) {
  std::vector<std::int64_t> counts(parts.size() << d.width);
  for(std::size_t p = 0; p != parts.size(); ++p)
    for(const cut_place& place : parts[p].left)
      ++counts[(p << d.width) + d.of(place)];
  all.add_up(counts);
  std::uint64_t left = 0;
  for(std::size_t p = 0; p != parts.size(); ++p) {
    search& s = parts[p];
    const auto count = [&](std::uint64_t value) {
      return static_cast<std::uint64_t>(counts[(p << d.width) + value]);
    };
    std::uint64_t value = 0;
    for(; s.n >= count(value); ++value)
      s.n -= count(value);
    left += count(value);
    std::erase_if(s.left, [&](const cut_place& place) { return d.of(place) != value; });
  }
  return left;
}

/// Tells all ranks of those that are left, and picks.
std::vector<cut_place> pick(team& all, std::span<const search> parts, std::uint64_t left) {
  using entry = std::array<std::int64_t, 3>; // the part, and a place
  std::int64_t own = 0;
  for(const search& s : parts)
    own += static_cast<std::int64_t>(s.left.size());
  std::size_t at = entry().size() * static_cast<std::size_t>(all.before(own));
  // Ranks have zeros where the others' entries are: so the sum is all of them.
  std::vector<std::int64_t> told(entry().size() * left);
  for(std::size_t p = 0; p != parts.size(); ++p)
    for(const cut_place& place : parts[p].left)
      for(const std::int64_t value :
        entry{static_cast<std::int64_t>(p), static_cast<std::int64_t>(place.key), place.number})
        told[at++] = value;
  all.add_up(told);

  std::vector<std::vector<cut_place>> of_part(parts.size());
  for(at = 0; at != told.size(); at += entry().size())
    of_part[static_cast<std::size_t>(told[at])].push_back(
      {static_cast<std::uint64_t>(told[at + 1]), told[at + 2]});
  std::vector<cut_place> picked;
  for(std::size_t p = 0; p != parts.size(); ++p) {
    const auto nth = of_part[p].begin() + static_cast<std::ptrdiff_t>(parts[p].n);
    std::ranges::nth_element(of_part[p], nth);
    picked.push_back(*nth);
  }
  return picked;
}

} // namespace

std::vector<cut_place> nth_places(
  team& all, std::span<const nth_of_part> parts, unsigned number_bits) {
  std::vector<search> searches(parts.size());
  std::uint64_t left = 0;
  for(std::size_t p = 0; p != parts.size(); ++p) {
    searches[p].n = parts[p].n;
    searches[p].left.reserve(parts[p].cells.size());
    for(const cut_cell& c : parts[p].cells)
      searches[p].left.push_back(c.place);
    left += parts[p].in_all;
  }
  // With half a megabyte of counts; of thousands of parts they are more, but fewer for each.
  const auto width =
    static_cast<unsigned>(std::clamp(16 - static_cast<int>(std::bit_width(parts.size())), 4, 11));
  const std::uint64_t few = std::max<std::uint64_t>(4096, 2 * parts.size());
  for(const digit& d : digits(width, number_bits)) {
    if(left <= few)
      break;
    left = narrow(all, searches, d);
  }
  return pick(all, searches, left);
}

} // namespace rondo::detail::inline meshes
