#include "sets.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "begins.hpp"
#include "keepers.hpp"

namespace rondo::detail::inline meshes {

namespace {

struct membership {
  entity_key what;
  std::uint64_t set;
};

/// Calls `f` with the vertices of each element of a kind that a member is, or has.
template<class F>
void for_each_of_kind(
  unsigned dimension, element_kind kind, std::span<const std::int64_t> member, const F& f) {
  const std::size_t corners = member.size();
  if(kind == element_kind::vertices) {
    for(const std::int64_t& v : member)
      f(std::span(&v, 1));
    return;
  }
  if(kind == element_kind::cells) {
    if(is_shape(dimension, corners))
      f(member);
    return;
  }
  // Of a face its edges; of a cell what a cell has. Of how many dimensions a member is its corners say, but for a quadrilateral in
  // three dimensions, which may be a tetrahedron: then both are tried, and what isn't there finds nobody.
  if(kind == element_kind::faces || (kind == element_kind::edges && dimension == 2)) {
    if(corners == dimension || (dimension == 3 && corners == 4))
      f(member);
  }
  else if(kind == element_kind::edges) {
    if(corners == 2)
      f(member);
    else if(corners <= 4)
      for(std::size_t k = 0; k != corners; ++k) {
        const std::int64_t edge[] = {member[k], member[(k + 1) % corners]};
        f(std::span<const std::int64_t>(edge));
      }
  }
  if(corners <= dimension || !is_shape(dimension, corners))
    return;
  for(std::size_t k = 0; k != parts_of_shape(dimension, corners, kind); ++k) {
    const corner_list part = part_of_shape(dimension, corners, kind, k);
    std::int64_t vertices[4];
    for(std::size_t i = 0; i != part.size; ++i)
      vertices[i] = member[part.at[i]];
    f(std::span<const std::int64_t>(vertices, part.size));
  }
}

} // namespace

std::vector<std::string> names_of_sets(team& all, const std::vector<mesh_piece::named>& here) {
  std::vector<char> own;
  for(const mesh_piece::named& s : here) {
    check_begins(s.begins, s.corners, std::string("the set '").append(s.name).append("'"));
    own.insert(own.end(), s.name.begin(), s.name.end());
    own.push_back('\0');
  }
  std::vector<std::string> names;
  for(const std::vector<char>& from : all.swap_mail(std::vector(all.ranks(), own)))
    for(auto at = from.begin(); at != from.end();) {
      const auto end = std::find(at, from.end(), '\0');
      names.emplace_back(at, end);
      at = end + 1;
    }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// The keeper of a key is told of its sets, and asked for those of what ranks know.
std::vector<std::vector<std::int32_t>> members_of_sets(team& all,
  const std::vector<std::string>& names, const std::vector<mesh_piece::named>& here,
  unsigned dimension, const cell_parts& parts) {
  std::vector<std::vector<membership>> out(all.ranks());
  for(const mesh_piece::named& s : here) {
    const auto set = static_cast<std::uint64_t>(
      std::lower_bound(names.begin(), names.end(), s.name) - names.begin());
    for(std::size_t m = 0; m + 1 < s.begins.size(); ++m) {
      const auto member = std::span(s.corners).subspan(static_cast<std::size_t>(s.begins[m]),
        static_cast<std::size_t>(s.begins[m + 1] - s.begins[m]));
      for_each_of_kind(dimension, parts.kind(), member, [&](std::span<const std::int64_t> its) {
        const entity_key k = key_of(its);
        out[rank_that_keeps(k, all.ranks())].push_back({k, set});
      });
    }
  }
  key_numbers numbers;
  std::vector<std::vector<std::uint64_t>> sets;
  for(const auto& from : all.swap_mail(std::move(out)))
    for(const membership& m : from) {
      const auto n = static_cast<std::size_t>(numbers.number(m.what));
      if(n == sets.size())
        sets.emplace_back();
      sets[n].push_back(m.set);
    }

  std::vector<std::vector<entity_key>> asked(all.ranks());
  std::vector<std::vector<std::int32_t>> which(all.ranks());
  for(std::size_t p = 0; p != parts.size(); ++p) {
    const entity_key k = parts.key(static_cast<std::int32_t>(p));
    asked[rank_that_keeps(k, all.ranks())].push_back(k);
    which[rank_that_keeps(k, all.ranks())].push_back(static_cast<std::int32_t>(p));
  }
  struct answer {
    std::uint64_t question;
    std::uint64_t set;
  };
  std::vector<std::vector<answer>> answers(all.ranks());
  const std::vector<std::vector<entity_key>> questions = all.swap_mail(std::move(asked));
  for(std::size_t r = 0; r != questions.size(); ++r)
    for(std::size_t q = 0; q != questions[r].size(); ++q)
      if(const std::int32_t n = numbers.find(questions[r][q]); n != key_numbers::none)
        for(const std::uint64_t s : sets[static_cast<std::size_t>(n)])
          answers[r].push_back({q, s});
  std::vector<std::vector<std::int32_t>> members(names.size());
  const std::vector<std::vector<answer>> told = all.swap_mail(std::move(answers));
  for(std::size_t r = 0; r != told.size(); ++r)
    for(const answer& a : told[r])
      members[a.set].push_back(which[r][a.question]);
  for(std::vector<std::int32_t>& m : members) {
    std::sort(m.begin(), m.end());
    m.erase(std::unique(m.begin(), m.end()), m.end());
  }
  return members;
}

} // namespace rondo::detail::inline meshes
