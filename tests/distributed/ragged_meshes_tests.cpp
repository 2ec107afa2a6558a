// Ragged fields over meshes of all kinds, next to the same by hand over all points at once.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "meshes.hpp"
#include "ragged_points.hpp"
#include "ranks.hpp"

using namespace rondo;
using namespace ragged_rows;

namespace {

using connect = std::vector<std::unique_ptr<transport>> (*)(unsigned);
std::vector<std::unique_ptr<transport>> late(unsigned ranks) {
  auto all = make_local_transports(ranks);
  std::uint64_t seed = 0;
  for(auto& t : all)
    t = make_delayed(std::move(t), {.latency = std::chrono::microseconds(20),
                                     .jitter = std::chrono::microseconds(200),
                                     .seed = seed++});
  return all;
}
std::vector<std::unique_ptr<transport>> on_a_node(unsigned ranks) {
  return make_shared_memory_transports(ranks, ranks);
}
std::vector<std::unique_ptr<transport>> on_nodes_of_two(unsigned ranks) {
  return make_shared_memory_transports(ranks, 2);
}
constexpr connect ways[] = {make_local_transports, on_a_node, on_nodes_of_two, late};

constexpr hash passes = 9;

/// The same over a mesh and by hand; all the bits after each pass.
template<std::size_t D>
void compare(const structured_options<D>& o, std::int64_t halo_of_field, connect between,
  unsigned ranks, unsigned workers) {
  const auto g = around<D>::of(o);
  const std::int64_t near = std::min<std::int64_t>(halo_of_field, 1);
  by_hand<D> a(g), b(g), c(g);
  std::vector<hash> expected;
  a.fill(100);
  b.fill(101);
  c.fill(102);
  for(hash n = 0; n != passes; ++n) {
    b.look(a, halo_of_field, n);
    a.look(b, near, n + 1);
    c.look(c, o.halo, n + 2);
    c.look(a, near, n + 3);
    expected.insert(expected.end(), {a.bits(), b.bits(), c.bits(), c.values()});
  }
  on_ranks(between(ranks), workers, [&](scheduler& s) {
    const structured<D> m{s, o};
    const field_options thinner{.halo = halo_of_field};
    const lists u{m, "u", thinner}, v{m, "v", thinner}, w{m, "w"};
    s.execute<task::fill<D>>(m, u, g, hash{100});
    s.execute<task::fill<D>>(m, v, g, hash{101});
    s.execute<task::fill<D>>(m, w, g, hash{102});
    std::vector<future<hash>> all;
    for(hash n = 0; n != passes; ++n) {
      s.execute<task::look<D, whole_halo>>(m, v, u, g, halo_of_field, n);
      s.execute<task::look<D, 1>>(m, u, v, g, near, n + 1);
      s.execute<task::relax<D>>(m, w, g, o.halo, n + 2);
      s.execute<task::look<D, 1>>(m, w, u, g, near, n + 3);
      all.push_back(s.reduce<task::bits<D>, fold::sum>(m, u, g));
      all.push_back(s.reduce<task::bits<D>, fold::sum>(m, v, g));
      all.push_back(s.reduce<task::bits<D>, fold::sum>(m, w, g));
      all.push_back(s.reduce<task::values_of<D>, fold::sum>(m, w));
    }
    for(std::size_t k = 0; k != all.size(); ++k)
      expect(all[k].get() == expected[k]);
  });
}

template<std::size_t D>
void compare_random(std::uint64_t seeds) {
  for(std::uint64_t seed = 0; seed != seeds; ++seed) {
    const structured_shape<D> shape = meshes::random_shape<D>(seed);
    const structured_options<D> o{.extents = shape.extents,
      .colors = shape.colors,
      .halo = shape.halo,
      .periodic = shape.periodic,
      .diagonals = shape.diagonals,
      .stages = static_cast<std::size_t>(meshes::draw(seed, 60, 1, 4))};
    std::uint64_t colors = 1;
    for(const std::int64_t c : o.colors)
      colors *= static_cast<std::uint64_t>(c);
    const auto ranks = static_cast<unsigned>(
      std::min<std::uint64_t>(colors, static_cast<std::uint64_t>(meshes::draw(seed, 61, 1, 4))));
    const std::int64_t halo = meshes::draw(seed, 62, 0, o.halo);
    INFO("seed " << seed << ", " << D << " dimensions, " << ranks << " ranks, halo " << o.halo
                 << ", of the fields " << halo);
    compare(o, halo, ways[meshes::mix(seed, 63) % std::size(ways)], ranks,
      static_cast<unsigned>(meshes::draw(seed, 64, 1, 3)));
  }
}

} // namespace

TEST_CASE("rows over random meshes are those that one rank makes by hand") {
  const std::uint64_t seeds = std::max<std::uint64_t>(meshes::seeds_of(40), 2);
  compare_random<1>(seeds);
  compare_random<2>(seeds);
  compare_random<3>(seeds);
}

TEST_CASE("more colors than a launch takes have rows in one message") {
  for(const bool diagonals : {false, true})
    for(const unsigned ranks : {2U, 3U})
      for(const connect between : ways) {
        const structured_options<2> o{.extents = {16, 15},
          .colors = {8, 5},
          .halo = 2,
          .periodic = {true, true},
          .diagonals = diagonals};
        compare(o, 2, between, ranks, 2);
        const structured_options<2> wide{
          .extents = {13, 6}, .colors = {13, 4}, .halo = 1, .diagonals = diagonals};
        compare(wide, 1, between, ranks, 3);
      }
}
