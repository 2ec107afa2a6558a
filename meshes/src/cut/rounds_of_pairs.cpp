#include "rounds_of_pairs.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace rondo::detail::inline meshes {

namespace {

/// Pairs with long borders come first; each in the first round that has neither of its colors.
std::map<color_pair, turn_of_pair> turns_of(
  const std::vector<std::vector<pair_with_border>>& told, unsigned ranks) {
  std::map<color_pair, std::int64_t> faces;
  for(const auto& from : told)
    for(const pair_with_border& p : from)
      faces[p.colors] += p.faces;
  std::vector<std::pair<std::int64_t, color_pair>> order;
  std::map<color_pair, turn_of_pair> made;
  for(const auto& [colors, count] : faces) {
    made[colors];
    if(count != 0)
      order.emplace_back(-count, colors);
  }
  std::ranges::sort(order);
  std::map<color_id, std::vector<bool>> is_taken; // of each round
  std::vector<unsigned> pairs_in;                 // each round
  for(const auto& [count, colors] : order) {
    std::vector<bool>& first = is_taken[colors.first];
    std::vector<bool>& second = is_taken[colors.second];
    std::size_t round = 0;
    while((round < first.size() && first[round]) || (round < second.size() && second[round]))
      ++round;
    for(std::vector<bool>* its : {&first, &second}) {
      its->resize(std::max(its->size(), round + 1));
      (*its)[round] = true;
    }
    pairs_in.resize(std::max(pairs_in.size(), round + 1));
    made[colors] = {static_cast<std::int32_t>(round), pairs_in[round]++ % ranks};
  }
  return made;
}

} // namespace

rounds_of_pairs deal_rounds(team& all, std::span<const pair_with_border> own) {
  std::vector<std::vector<pair_with_border>> out(all.ranks());
  out[0].assign(own.begin(), own.end());
  const auto told = all.swap_mail(out);
  std::vector<std::vector<turn_of_pair>> answers(all.ranks());
  if(all.rank() == 0) {
    const auto turns = turns_of(told, all.ranks());
    std::int32_t rounds = 0;
    for(const auto& [colors, turn] : turns)
      rounds = std::max(rounds, turn.round + 1);
    for(unsigned r = 0; r != all.ranks(); ++r) {
      answers[r].push_back({rounds, r});
      for(const pair_with_border& p : told[r])
        answers[r].push_back(turns.at(p.colors));
    }
  }
  const std::vector<turn_of_pair> turns = std::move(all.swap_mail(answers)[0]);
  return {
    static_cast<std::size_t>(turns.front().round), std::vector(turns.begin() + 1, turns.end())};
}

} // namespace rondo::detail::inline meshes
