// How much a rank has to do in an exchange, on any number of ranks.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/structured_points.hpp>

#include "meshes.hpp"

using namespace rondo;

namespace {

/// What the busiest of some ranks has to do.
struct work {
  std::size_t peers = 0;
  std::uint64_t looked_at = 0; ///< per color
  std::uint64_t sent = 0;      ///< elements, per color
};

/// A periodic mesh of squares of 16 points; who touches at a corner is a neighbour.
template<std::size_t D>
work busiest(const point<D>& colors, unsigned ranks) {
  structured_shape<D> s{.extents = colors, .colors = colors, .halo = 1, .diagonals = true};
  for(std::int64_t& n : s.extents)
    n *= 16;
  s.periodic.fill(true);
  const structured_coloring<D> mesh(s);
  const distribution who = mesh.over(ranks);
  const detail::structured_points<D> points(mesh);
  work most;
  for(unsigned i = 0; i != std::min(ranks, 100U); ++i) {
    const unsigned rank = ranks <= 100 ? i : static_cast<unsigned>(meshes::mix(ranks, i) % ranks);
    const auto plan = plan_exchange(detail::partition(who, rank), points);
    std::uint64_t sent = 0;
    for(const auto& m : plan.outgoing)
      sent += static_cast<std::uint64_t>(m.size);
    most.peers = std::max({most.peers, plan.outgoing.size(), plan.incoming.size()});
    most.looked_at = std::max(most.looked_at, plan.looked_at / plan.colors.size());
    most.sent = std::max(most.sent, sent / plan.colors.size());
  }
  return most;
}

} // namespace

TEST_CASE("ranks that have squares or cubes of colors have the neighbours that these have") {
  const auto most_own = static_cast<std::int64_t>(meshes::scaled(4, 2));
  const auto most_ranks = static_cast<std::int64_t>(meshes::scaled(64, 16)); // along a side
  for(std::int64_t own = 1; own <= most_own; own *= 2)
    for(std::int64_t side = 1; side <= most_ranks; side *= 2) {
      CAPTURE(own, side);
      const work flat = busiest<2>({own * side, own * side}, static_cast<unsigned>(side * side));
      CHECK(flat.peers <= 8);
      CHECK(flat.looked_at == 8);
      if(side > static_cast<std::int64_t>(meshes::scaled(16, 8)))
        continue;
      const std::int64_t n = own * side;
      const work solid = busiest<3>({n, n, n}, static_cast<unsigned>(side * side * side));
      CHECK(solid.peers <= 26);
      CHECK(solid.looked_at == 26);
    }
}

TEST_CASE("what a rank has to do doesn't grow with the number of ranks") {
  // About so many colors per rank, on any number of ranks; so their pieces are no boxes.
  std::vector<std::int64_t> colors_of_ranks{9, 16, 27};
  colors_of_ranks.resize(meshes::scaled(3, 1));
  for(const std::int64_t per_rank : colors_of_ranks) {
    work few[2], many[2];
    for(unsigned ranks = 1; ranks <= 4096; ranks = ranks < 20 ? ranks + 1 : ranks * 5 / 4) {
      std::int64_t flat = 1, solid = 1;
      while(flat * flat < per_rank * ranks)
        ++flat;
      while(solid * solid * solid < per_rank * ranks)
        ++solid;
      const work w[2] = {busiest<2>({flat, flat}, ranks), busiest<3>({solid, solid, solid}, ranks)};
      work* const into = ranks < 256 ? few : many;
      for(std::size_t i = 0; i != 2; ++i) {
        into[i].peers = std::max(into[i].peers, w[i].peers);
        into[i].looked_at = std::max(into[i].looked_at, w[i].looked_at);
        into[i].sent = std::max(into[i].sent, w[i].sent);
      }
    }
    CAPTURE(per_rank);
    CHECK(many[0].peers <= 16);
    CHECK(many[1].peers <= 52);
    CHECK(many[0].looked_at == 8);
    CHECK(many[1].looked_at == 26);
    for(std::size_t i = 0; i != 2; ++i) {
      CHECK(static_cast<double>(many[i].peers) <= 1.15 * static_cast<double>(few[i].peers));
      CHECK(static_cast<double>(many[i].sent) <= 1.15 * static_cast<double>(few[i].sent));
    }
  }
}

TEST_CASE("one rank of three milliards plans like any other") {
  const std::int64_t n = 1 << 14;
  const structured_coloring<3> mesh({.extents = {16 * n, 16 * n, 16 * n},
    .colors = {n, n, n},
    .halo = 2,
    .periodic = {true, true, true},
    .diagonals = true});
  const unsigned ranks = 3'000'000'000;
  const unsigned rank = 1'234'567'890;
  const distribution who = mesh.over(ranks);
  const detail::structured_points<3> points(mesh);
  const auto plan = plan_exchange(detail::partition(who, rank), points);
  CHECK(plan.looked_at == plan.colors.size() * 26);
  for(std::size_t i = 0; i < plan.outgoing.size(); i += meshes::scaled(1, 5)) {
    const auto& out = plan.outgoing[i];
    const auto other = plan_exchange(detail::partition(who, out.peer), points);
    const auto in = std::find_if(
      other.incoming.begin(), other.incoming.end(), [&](const auto& m) { return m.peer == rank; });
    REQUIRE(in != other.incoming.end());
    CHECK(in->size == out.size);
  }
}
