// The cores that each of several ranks on a node gets.

#include "cores/deal.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

using namespace rondo::detail;

namespace {

using numbers = std::vector<unsigned>;

numbers from(unsigned first, unsigned count) {
  numbers all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

std::vector<rank_cores> ranks_with(std::vector<numbers> masks) {
  std::vector<rank_cores> ranks;
  for(numbers& m : masks)
    ranks.push_back({.cores = std::move(m)});
  return ranks;
}

/// How many each one has, the fewest first.
numbers sizes(const std::vector<dealt_cores>& dealt) {
  numbers n;
  for(const dealt_cores& d : dealt)
    n.push_back(unsigned(d.cores.size()));
  std::ranges::sort(n);
  return n;
}

unsigned shared(const std::vector<dealt_cores>& dealt) {
  return unsigned(std::ranges::count_if(dealt, &dealt_cores::are_shared));
}

/// How many each one has if the one with the fewest has as many as possible, then the second, and so on; found by
/// trying all ways.
numbers best_of_all(const std::vector<rank_cores>& ranks) {
  std::set<unsigned> all;
  for(const rank_cores& r : ranks)
    all.insert(r.cores.begin(), r.cores.end());
  const numbers cores(all.begin(), all.end());
  numbers has(ranks.size());
  numbers best(ranks.size());
  const auto may = [](const rank_cores& r, unsigned core) {
    return std::ranges::count(r.cores, core) != 0;
  };
  const std::function<void(std::size_t)> give = [&](std::size_t i) {
    if(i == cores.size()) {
      numbers sorted = has;
      std::ranges::sort(sorted);
      best = std::max(best, sorted);
      return;
    }
    for(std::size_t r = 0; r != ranks.size(); ++r)
      if(may(ranks[r], cores[i]) && (ranks[r].workers == 0 || has[r] < ranks[r].workers)) {
        ++has[r];
        give(i + 1);
        --has[r];
      }
    give(i + 1);
  };
  give(0);
  return best;
}

} // namespace

TEST_CASE("ranks that may use all cores get as many each, side by side") {
  // 8 cores with two hardware threads each: the masks have 16, but what is dealt is cores.
  const auto dealt = deal_cores(ranks_with({from(0, 8), from(0, 8), from(0, 8), from(0, 8)}));
  REQUIRE(dealt.size() == 4);
  for(unsigned r = 0; r != 4; ++r)
    CHECK(dealt[r].cores == from(2 * r, 2));
  CHECK(shared(dealt) == 0);
}

TEST_CASE("what can't be divided goes to the first ranks") {
  const auto dealt = deal_cores(ranks_with({from(0, 8), from(0, 8), from(0, 8)}));
  CHECK(dealt[0].cores == from(0, 3));
  CHECK(dealt[1].cores == from(3, 3));
  CHECK(dealt[2].cores == from(6, 2));
}

TEST_CASE("ranks with cores of their own keep them") {
  const auto dealt = deal_cores(ranks_with({from(0, 16), from(16, 16)}));
  CHECK(dealt[0].cores == from(0, 16));
  CHECK(dealt[1].cores == from(16, 16));
  CHECK(shared(dealt) == 0);
  CHECK(deal_cores(ranks_with({from(3, 5)}))[0].cores == from(3, 5));
}

TEST_CASE("ranks that are bound to the same socket share only that one") {
  const auto dealt =
    deal_cores(ranks_with({from(0, 8), from(8, 4), from(0, 8), from(8, 4), from(0, 8)}));
  CHECK(dealt[0].cores == from(0, 3));
  CHECK(dealt[2].cores == from(3, 3));
  CHECK(dealt[4].cores == from(6, 2));
  CHECK(dealt[1].cores == from(8, 2));
  CHECK(dealt[3].cores == from(10, 2));
}

TEST_CASE("overlapping masks leave each rank as much as possible") {
  // The middle one can live on what the others can't use.
  const auto dealt = deal_cores(ranks_with({from(0, 4), from(2, 6), from(6, 4)}));
  CHECK(sizes(dealt) == numbers{3, 3, 4});
  CHECK(shared(dealt) == 0);

  // The first one takes the only core of the second unless it is made to go elsewhere, and so on.
  const auto chain = deal_cores(ranks_with({{0, 1}, {0}, {1, 2}, {2, 3}}));
  CHECK(chain[1].cores == numbers{0});
  CHECK(chain[0].cores == numbers{1});
  CHECK(chain[2].cores == numbers{2});
  CHECK(chain[3].cores == numbers{3});
  CHECK(shared(chain) == 0);
}

TEST_CASE("more ranks than cores get one each, evenly, and know that they share it") {
  const auto dealt =
    deal_cores(ranks_with({from(0, 2), from(0, 2), from(0, 2), from(0, 2), from(0, 2)}));
  std::map<unsigned, int> users;
  for(const dealt_cores& d : dealt) {
    REQUIRE(d.cores.size() == 1);
    ++users[d.cores[0]];
  }
  CHECK(users == std::map<unsigned, int>{{0, 3}, {1, 2}});
  CHECK(shared(dealt) == 5);
}

TEST_CASE("only those who may be met share") {
  SECTION("each rank is tied to one hardware thread, and two of them to the same one") {
    const auto dealt = deal_cores(ranks_with({{5}, {6}, {6}, {7, 8}}));
    CHECK(sizes(dealt) == numbers{1, 1, 1, 2});
    CHECK(!dealt[0].are_shared);
    CHECK(dealt[1].are_shared);
    CHECK(dealt[2].are_shared);
    CHECK(!dealt[3].are_shared);
  }
  SECTION("a rank that could go elsewhere, were it not for others, is one of them") {
    const auto dealt = deal_cores(ranks_with({{0}, {0}, {0, 1}, {1, 2}, {2}, {3}}));
    CHECK(sizes(dealt) == numbers{1, 1, 1, 1, 1, 1});
    CHECK(dealt[0].are_shared);
    CHECK(dealt[1].are_shared);
    CHECK(!dealt[5].are_shared);
  }
  SECTION("a rank that may use a crowded core but has others does not use it") {
    const auto dealt = deal_cores(ranks_with({{0}, {0}, {0, 1, 2}}));
    CHECK(dealt[2].cores == numbers{1, 2});
    CHECK(!dealt[2].are_shared);
  }
}

TEST_CASE("hardware threads of one core that are two ranks' are one core") {
  const auto dealt = deal_cores(ranks_with({{4}, {4}}));
  CHECK(sizes(dealt) == numbers{1, 1});
  CHECK(shared(dealt) == 2);
}

TEST_CASE("cores with great numbers are dealt like others") {
  const auto dealt = deal_cores(ranks_with({from(70, 6), from(70, 6), from(2000, 3)}));
  CHECK(dealt[0].cores == from(70, 3));
  CHECK(dealt[1].cores == from(73, 3));
  CHECK(dealt[2].cores == from(2000, 3));
}

TEST_CASE("cores are dealt in the order in which they are near to each other") {
  // Even ones on one socket, odd ones on the other.
  const numbers by_socket{0, 2, 4, 6, 1, 3, 5, 7};
  const auto dealt = deal_cores(ranks_with({by_socket, by_socket}));
  CHECK(dealt[0].cores == numbers{0, 2, 4, 6});
  CHECK(dealt[1].cores == numbers{1, 3, 5, 7});
}

TEST_CASE("what a rank has no use for goes to the others") {
  auto ranks = ranks_with({from(0, 8), from(0, 8), from(0, 8)});
  ranks[0].workers = 1;
  CHECK(sizes(deal_cores(ranks)) == numbers{1, 3, 4});
  ranks[1].workers = ranks[2].workers = 2;
  const auto few = deal_cores(ranks);
  CHECK(sizes(few) == numbers{1, 2, 2});
  CHECK(shared(few) == 0);
}

TEST_CASE("more workers than cores are in the way of all whom they may meet") {
  auto ranks = ranks_with({from(0, 4), from(0, 4), from(4, 4)});
  ranks[0].workers = 100; // that does not help
  const auto dealt = deal_cores(ranks);
  CHECK(sizes(dealt) == numbers{2, 2, 4});
  CHECK(dealt[0].are_shared);
  CHECK(dealt[1].are_shared);
  CHECK(!dealt[2].are_shared);
}

TEST_CASE("ranks under the same quota share it, those under others have their own") {
  auto ranks = ranks_with({from(0, 16), from(0, 16), from(0, 16)});
  ranks[0].limited_by = ranks[1].limited_by = 7;
  ranks[0].limit = ranks[1].limit = 5;
  ranks[2].limited_by = 8;
  ranks[2].limit = 6;
  const auto dealt = deal_cores(ranks);
  CHECK(dealt[0].cores.size() == 3);
  CHECK(dealt[1].cores.size() == 2);
  CHECK(dealt[2].cores.size() == 6);
  CHECK(shared(dealt) == 0);
  SECTION("each gets a core however small the quota is, but shares it") {
    ranks[0].limit = ranks[1].limit = 1;
    const auto tight = deal_cores(ranks);
    CHECK(sizes(tight) == numbers{1, 1, 6});
    CHECK(tight[0].are_shared);
    CHECK(tight[1].are_shared);
    CHECK(!tight[2].are_shared);
  }
  SECTION("what one of them leaves is for the other") {
    ranks[0].workers = 1;
    CHECK(sizes(deal_cores(ranks)) == numbers{1, 4, 6});
  }
}

TEST_CASE("ranks that can't be asked get their part of the node") {
  auto half = ranks_with({from(0, 8), from(0, 8)});
  CHECK(!leave_for_others(half, 4, 8));
  CHECK(sizes(deal_cores(half)) == numbers{2, 2});

  auto all = ranks_with({from(0, 8), from(0, 8)});
  CHECK(!leave_for_others(all, 2, 8));
  CHECK(!leave_for_others(all, 0, 8)); // nobody says how many there are
  CHECK(sizes(deal_cores(all)) == numbers{4, 4});

  auto bound = ranks_with({from(0, 4), from(4, 4)});
  CHECK(!leave_for_others(bound, 4, 16));
  CHECK(sizes(deal_cores(bound)) == numbers{4, 4});

  auto narrow = ranks_with({from(0, 2)});
  CHECK(!leave_for_others(narrow, 2, 8));
  CHECK(!deal_cores(narrow)[0].are_shared);

  auto crowd = ranks_with({from(0, 2)});
  CHECK(leave_for_others(crowd, 3, 2));
  CHECK(sizes(deal_cores(crowd)) == numbers{1});

  auto limited = ranks_with({from(0, 64), from(0, 64)});
  for(rank_cores& r : limited) {
    r.limited_by = 1;
    r.limit = 8;
  }
  CHECK(!leave_for_others(limited, 4, 64));
  CHECK(sizes(deal_cores(limited)) == numbers{2, 2});
  CHECK(leave_for_others(limited, 16, 64));
}

TEST_CASE("random masks are dealt as well as can be, and each core once") {
  std::mt19937 random(19);
  const auto below = [&](unsigned n) { return unsigned(random() % n); };
  for(int round = 0; round != 300; ++round) {
    const unsigned cores = 1 + below(6);
    std::vector<rank_cores> ranks(1 + below(4));
    for(rank_cores& r : ranks) {
      for(unsigned c = 0; c != cores; ++c)
        if(below(2) == 0)
          r.cores.push_back(c);
      if(r.cores.empty())
        r.cores.push_back(below(cores));
      std::ranges::shuffle(r.cores, random);
      if(below(3) == 0)
        r.workers = 1 + below(3);
    }
    const auto dealt = deal_cores(ranks);
    numbers best = best_of_all(ranks);
    CAPTURE(round);
    bool is_enough_there = best.front() != 0;
    for(unsigned& n : best)
      n = std::max(n, 1U);
    CHECK(sizes(dealt) == best);
    for(std::size_t r = 0; r != ranks.size(); ++r)
      is_enough_there = is_enough_there && ranks[r].workers <= dealt[r].cores.size();
    std::multiset<unsigned> used;
    for(std::size_t r = 0; r != ranks.size(); ++r)
      for(const unsigned c : dealt[r].cores) {
        CHECK(std::ranges::count(ranks[r].cores, c) == 1);
        used.insert(c);
      }
    for(std::size_t r = 0; r != ranks.size(); ++r)
      for(const unsigned c : dealt[r].cores)
        if(used.count(c) != 1)
          CHECK(dealt[r].are_shared);
    CHECK((shared(dealt) == 0) == is_enough_there);
  }
}

TEST_CASE("hundreds of ranks and cores are dealt evenly") {
  std::vector<numbers> masks(256, from(0, 512));
  for(std::size_t r = 128; r != 256; ++r)
    masks[r] = from(256, 256);
  CHECK(sizes(deal_cores(ranks_with(masks))) == numbers(256, 2));
  const auto none = deal_cores({});
  CHECK(none.empty());
}
