// Which ranges of colors ranks get, next to all ways to choose them.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <balance/even_ranges.hpp>
#include <catch2/catch.hpp>

#include "meshes.hpp"

using namespace rondo;
using namespace rondo::detail;

namespace {

std::vector<unsigned> ranks_of(const std::vector<color_id>& begins) {
  std::vector<unsigned> ranks;
  for(unsigned r = 0; r + 1 != begins.size(); ++r)
    ranks.insert(ranks.end(), begins[r + 1] - begins[r], r);
  return ranks;
}

double time_of(const work_of_colors& work, const std::vector<color_id>& begins) {
  return time_of_slowest(work, ranks_of(begins));
}

/// Of all ways; those in which some rank has no color, only if there are too few.
double best_of_all(const work_of_colors& work) {
  const std::size_t colors = work.costs.size(), ranks = work.workers.size();
  double best = std::numeric_limits<double>::infinity();
  std::vector<color_id> begins{0};
  const auto go_on = [&](const auto& self) -> void {
    const std::size_t r = begins.size();
    if(r == ranks) {
      if(colors < ranks || begins.back() < colors) {
        begins.push_back(colors);
        best = std::min(best, time_of(work, begins));
        begins.pop_back();
      }
      return;
    }
    for(color_id b = begins.back() + (colors < ranks ? 0 : 1); b <= colors; ++b) {
      begins.push_back(b);
      self(self);
      begins.pop_back();
    }
  };
  go_on(go_on);
  return best;
}

work_of_colors random_work(std::uint64_t seed) {
  work_of_colors work;
  const auto draw = [&, n = seed](unsigned below) mutable {
    return static_cast<unsigned>((n = meshes::mix(n, 7)) % below);
  };
  auto next = draw;
  const unsigned ranks = 1 + next(4);
  const unsigned colors = 1 + next(9);
  for(unsigned r = 0; r != ranks; ++r)
    work.workers.push_back(1 + next(3));
  for(unsigned c = 0; c != colors; ++c)
    work.costs.push_back(next(4) == 0 ? next(1000) : next(10));
  if(ideal_time(work) == 0)
    work.costs[0] = 1;
  return work;
}

} // namespace

TEST_CASE("no ranges take less time", "[balance]") {
  for(std::uint64_t seed = 0; seed != 3000; ++seed) {
    const work_of_colors work = random_work(seed);
    const std::size_t colors = work.costs.size(), ranks = work.workers.size();
    std::vector<color_id> now{0};
    for(std::size_t r = 1; r != ranks; ++r)
      now.push_back(meshes::mix(seed, r) % (colors + 1));
    now.push_back(colors);
    std::sort(now.begin(), now.end());
    const std::vector<color_id> begins = even_ranges(work, now);
    INFO("seed " << seed);
    REQUIRE(begins.size() == ranks + 1);
    CHECK(begins.front() == 0);
    CHECK(begins.back() == colors);
    REQUIRE(std::is_sorted(begins.begin(), begins.end()));
    for(std::size_t r = 0; r != ranks && colors >= ranks; ++r)
      CHECK(begins[r] < begins[r + 1]);
    CHECK(time_of(work, begins) <= best_of_all(work) * 1.002);
    CHECK(time_of(work, begins) >= ideal_time(work) * (1 - 1e-12));
  }
}

TEST_CASE("ranges stay where they are if that is as good", "[balance]") {
  const work_of_colors even{.costs = std::vector<double>(12, 1.0), .workers = {1, 1, 1}};
  CHECK(
    even_ranges(even, std::vector<color_id>{0, 4, 8, 12}) == std::vector<color_id>{0, 4, 8, 12});
  // The last color alone costs as much as half of the rest: much is free.
  const work_of_colors free{.costs = {1, 1, 1, 1, 1, 1, 9}, .workers = {1, 1, 1}};
  CHECK(even_ranges(free, std::vector<color_id>{0, 1, 5, 7}) == std::vector<color_id>{0, 1, 6, 7});
  CHECK(even_ranges(free, std::vector<color_id>{0, 5, 6, 7}) == std::vector<color_id>{0, 5, 6, 7});
}

TEST_CASE("ranks with more workers get more", "[balance]") {
  const work_of_colors work{.costs = std::vector<double>(12, 1.0), .workers = {3, 1}};
  CHECK(even_ranges(work, std::vector<color_id>{0, 6, 12}) == std::vector<color_id>{0, 9, 12});
  CHECK(ranges_by_sums(work) == std::vector<color_id>{0, 9, 12});
}
