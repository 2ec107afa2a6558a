// Ranks that make something together.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "meshes.hpp"
#include "ranks.hpp"
#include "teams.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/team.hpp>

using namespace rondo;
using detail::team;
using meshes::draw;

namespace {

constexpr unsigned most_ranks = 7;

/// What a rank has for another one in a round: all ranks know it of all.
std::vector<std::uint32_t> letter(
  std::uint64_t round, unsigned from, unsigned to, std::int64_t most) {
  const std::uint64_t way = (round * most_ranks + from) * most_ranks + to;
  // Half of the letters are empty.
  const std::int64_t size = std::max<std::int64_t>(draw(way, 1, -most, most), 0);
  std::vector<std::uint32_t> made(static_cast<std::size_t>(size));
  for(std::size_t k = 0; k != made.size(); ++k)
    made[k] = static_cast<std::uint32_t>(way * 1'000'003 + k);
  return made;
}

void swap_letters_of(team& all, std::uint64_t round, std::int64_t most) {
  std::vector<std::vector<std::uint32_t>> out, expected;
  for(unsigned r = 0; r != all.ranks(); ++r) {
    out.push_back(letter(round, all.rank(), r, most));
    expected.push_back(letter(round, r, all.rank(), most));
  }
  expect(all.swap_mail(out) == expected);
}

} // namespace

TEST_CASE("a letter arrives where it is for") {
  for(unsigned ranks = 1; ranks <= most_ranks; ++ranks)
    on_team(ranks, [&](team& all) {
      expect(all.ranks() == ranks);
      for(std::uint64_t round = 0; round != 30; ++round)
        swap_letters_of(all, round, 40);
    });
}

TEST_CASE("so do letters of megabytes") {
  for(const unsigned ranks : {1U, 2U, 3U, 5U})
    on_team(ranks, [&](team& all) {
      for(std::uint64_t round = 0; round != 2; ++round)
        swap_letters_of(all, 100 + round, meshes::scaled(1'000'000, 300'000));
    });
}

TEST_CASE("letters go through memory that ranks share as well") {
  for(const unsigned ranks : {2U, 5U})
    for(const unsigned of_a_node : {1U, 2U, ranks})
      on_team(make_shared_memory_transports(ranks, of_a_node), [](team& all) {
        for(std::uint64_t round = 0; round != 10; ++round) {
          swap_letters_of(all, 200 + round, 40);
          swap_letters_of(all, 300 + round, 300'000);
        }
      });
}

TEST_CASE("ranks may have nothing for each other") {
  for(unsigned ranks = 1; ranks <= most_ranks; ++ranks)
    on_team(ranks, [](team& all) {
      expect(all.swap_mail(team::mail(all.ranks())) == team::mail(all.ranks()));
      // Or one rank for one other.
      std::vector<std::vector<char>> out(all.ranks());
      if(all.rank() == 0)
        out[all.ranks() - 1] = {'h', 'i'};
      std::vector<std::vector<char>> expected(all.ranks());
      if(all.rank() == all.ranks() - 1)
        expected[0] = {'h', 'i'};
      expect(all.swap_mail(out) == expected);
    });
}

TEST_CASE("ranks add up, and take the least") {
  for(unsigned ranks = 1; ranks <= most_ranks; ++ranks)
    on_team(ranks, [&](team& all) {
      for(const std::size_t n : {0, 1, 3, 100'000}) {
        std::vector<std::int64_t> sums, expected_sums;
        std::vector<double> least, expected_least;
        for(std::size_t k = 0; k != n; ++k) {
          const auto of_rank = [&](
                                 unsigned r) { return draw(k, r, -1'000'000'000, 1'000'000'000); };
          std::int64_t sum = 0;
          double least_one = std::numeric_limits<double>::infinity();
          for(unsigned r = 0; r != ranks; ++r) {
            sum += of_rank(r) << 20;
            least_one = std::min(least_one, static_cast<double>(of_rank(r)) / 3);
          }
          sums.push_back(of_rank(all.rank()) << 20);
          least.push_back(static_cast<double>(of_rank(all.rank())) / 3);
          expected_sums.push_back(sum);
          expected_least.push_back(least_one);
        }
        all.add_up(sums);
        all.take_least(least);
        expect(sums == expected_sums);
        expect(least == expected_least);
      }
    });
}

TEST_CASE("a rank knows the sum of those before it") {
  for(unsigned ranks = 1; ranks <= 2 * most_ranks; ++ranks)
    on_team(ranks, [](team& all) {
      for(std::uint64_t round = 0; round != 5; ++round) {
        std::int64_t sum = 0;
        for(unsigned r = 0; r != all.rank(); ++r)
          sum += draw(round, r, -1000, 1000);
        expect(all.before(draw(round, all.rank(), -1000, 1000)) == sum);
      }
    });
}

TEST_CASE("the ranks of a scheduler are a team") {
  on_ranks(make_local_transports(3), 1, [](scheduler& s) {
    team all(s);
    std::vector<std::int64_t> sum{all.rank() + 1};
    all.add_up(sum);
    expect(sum.front() == 6);
    swap_letters_of(all, 1, 100);
  });
}
