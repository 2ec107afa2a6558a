// How values of colors get to the ranks that see to them in reductions.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/color_moves.hpp>
#include <rondo/distributed/coloring.hpp>

using namespace rondo;
using namespace rondo::detail;

TEST_CASE("after its messages each rank has the values of its share") {
  const auto check = []<std::size_t D>(const structured_shape<D>& shape, std::uint64_t seed) {
    CAPTURE(D, seed);
    const structured_coloring<D> mesh(shape);
    const unsigned ranks = meshes::random_ranks(seed, mesh.colors());
    const distribution who = mesh.over(ranks);
    std::vector<color_moves> all;
    std::map<std::pair<unsigned, unsigned>, std::vector<color_id>> under_way;
    for(unsigned r = 0; r != ranks; ++r) {
      all.push_back(moves_of(who, r));
      const color_set mine = who.of(r);
      for(const auto& out : all[r].outgoing) {
        REQUIRE(out.peer != r);
        for(const std::size_t c : out.colors)
          under_way[{r, out.peer}].push_back(mine[c]);
      }
    }
    for(unsigned r = 0; r != ranks; ++r) {
      const color_moves& m = all[r];
      const color_set mine = who.of(r);
      REQUIRE(m.share == who.share_of_rank(r));
      std::vector<color_id> values(m.share.size(), mesh.colors());
      for(const auto& o : m.kept)
        values[o.place] = mine[o.color];
      for(const auto& in : m.incoming) {
        auto& message = under_way[{in.peer, r}];
        REQUIRE(message.size() == in.colors.size());
        for(std::size_t i = 0; i != message.size(); ++i)
          values[in.colors[i]] = message[i];
        under_way.erase({in.peer, r});
      }
      for(std::size_t i = 0; i != values.size(); ++i)
        REQUIRE(values[i] == m.share.first + i);
    }
    REQUIRE(under_way.empty());
  };
  for(std::uint64_t seed = 0; seed != 500; ++seed) {
    check(meshes::random_shape<1>(seed), seed);
    check(meshes::random_shape<2>(seed), seed);
    check(meshes::random_shape<3>(seed), seed);
  }
}

TEST_CASE("nothing moves where ranks have ranges of colors") {
  const structured_coloring<2> mesh({.extents = {256, 256}, .colors = {16, 16}});
  const distribution row(37, 5);
  for(unsigned r = 0; r != 4; ++r) {
    CHECK(moves_of(mesh.over(4), r).empty());
    CHECK(moves_of(row, r).empty());
  }
}

TEST_CASE("a rank hands on its values in few messages, however many ranks there are") {
  for(const unsigned ranks : {7U, 100U, 1000U, 10'007U, 1'000'003U}) {
    CAPTURE(ranks);
    const auto side =
      static_cast<std::int64_t>(std::ceil(std::sqrt(16 * static_cast<double>(ranks))));
    const structured_coloring<2> mesh({.extents = {16 * side, 16 * side}, .colors = {side, side}});
    const distribution who = mesh.over(ranks);
    std::size_t most = 0, sum = 0;
    for(std::uint64_t i = 0; i != 50; ++i) {
      const color_moves m = moves_of(who, static_cast<unsigned>(meshes::mix(ranks, i) % ranks));
      most = std::max({most, m.outgoing.size(), m.incoming.size()});
      sum += m.outgoing.size();
    }
    CHECK(most <= 16);
    CHECK(sum <= 50 * 6);
  }
}
