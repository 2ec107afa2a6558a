#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/launch_order.hpp>
#include <rondo/distributed/waves.hpp>

using namespace rondo;
using namespace rondo::detail;

namespace {

/// How often each color has been changed, and its ghosts filled, when launches are run one by one.
struct colors_of_rank {
  const exchange_plan& plan;
  std::vector<std::size_t> changed;
  std::vector<std::size_t> filled;
  std::vector<std::size_t> received;
  std::vector<std::size_t> faults;

  explicit colors_of_rank(const exchange_plan& p)
      : plan(p), changed(p.colors.size()), filled(changed), received(changed) {}

  void require(bool ok, std::size_t color) {
    if(!ok)
      faults.push_back(color);
  }
  void messages(std::size_t stage) {
    for(const auto& m : plan.outgoing)
      for(const auto& p : m.parts)
        require(changed[p.color] == stage, p.color);
    for(const auto& m : plan.incoming)
      for(const auto& p : m.parts) {
        require(changed[p.color] == stage, p.color); // what it had before has been used
        received[p.color] = stage + 1;
      }
  }
  void fill(std::size_t stage, std::size_t color) {
    require(changed[color] == stage && filled[color] == stage, color);
    for(const auto& c : plan.copies_into(color))
      require(changed[c.source] == stage, color);
    filled[color] = stage + 1;
  }
  void change(std::size_t stage, std::size_t color) {
    require(changed[color] == stage && filled[color] == stage + 1, color);
    require(received[color] == 0 || received[color] == stage + 1, color);
    changed[color] = stage + 1;
  }
};

template<std::size_t D>
void check_waves(std::uint64_t seed) {
  CAPTURE(D, seed);
  const structured_coloring<D> mesh(meshes::random_shape<D>(seed));
  const unsigned ranks = meshes::random_ranks(seed, mesh.colors());
  const auto rank = static_cast<unsigned>(meshes::draw(seed, 50, 0, ranks - 1));
  const auto stages = static_cast<std::size_t>(meshes::draw(seed, 51, 1, 12));
  const exchange_plan plan = plan_exchange(mesh, ranks, rank);
  const std::size_t colors = plan.colors.size();
  const auto workers = static_cast<unsigned>(meshes::draw(seed, 52, 1, 9));
  const auto layers = layers_of(plan, workers);

  std::vector<int> found(colors);
  for(const auto& layer : layers) {
    REQUIRE_FALSE(layer.empty());
    for(const std::size_t c : layer)
      ++found[c];
  }
  REQUIRE(found == std::vector<int>(colors, 1));

  colors_of_rank run(plan);
  in_waves(
    stages, layers.size(), [&](std::size_t s) { run.messages(s); },
    [&](std::size_t s, std::size_t layer) {
      for(const std::size_t c : layers[layer])
        run.fill(s, c);
    },
    [&](std::size_t s, std::size_t layer) {
      for(const std::size_t c : layers[layer])
        run.change(s, c);
    });
  CHECK(run.faults.empty());
  CHECK(run.changed == std::vector<std::size_t>(colors, stages));
}

} // namespace

TEST_CASE("waves keep the order of what has to do with each other") {
  for(std::uint64_t seed = 0; seed != 1000; ++seed) {
    check_waves<1>(seed);
    check_waves<2>(seed);
    check_waves<3>(seed);
  }
}

TEST_CASE("each worker has a color in most layers, of a front of its own") {
  const structured_coloring<2> mesh({.extents = {8, 640}, .colors = {1, 64}});
  for(const unsigned ranks : {1U, 2U, 4U})
    for(unsigned rank = 0; rank != ranks; ++rank) {
      const exchange_plan plan = plan_exchange(mesh, ranks, rank);
      const std::size_t colors = plan.colors.size();
      for(unsigned workers = 1; workers <= 8; ++workers) {
        CAPTURE(ranks, rank, workers);
        const auto layers = layers_of(plan, workers);
        CHECK(layers.size() <= (colors + workers - 1) / workers + 1);
        std::vector<std::size_t> layer_of(colors);
        for(std::size_t l = 0; l != layers.size(); ++l)
          for(const std::size_t c : layers[l])
            layer_of[c] = l;
        for(std::size_t c = 1; c != colors; ++c)
          CHECK(
            std::max(layer_of[c - 1], layer_of[c]) - std::min(layer_of[c - 1], layer_of[c]) <= 1);
        for(const auto* const messages : {&plan.incoming, &plan.outgoing})
          for(const auto& m : *messages)
            for(const auto& p : m.parts)
              CHECK(layer_of[p.color] == 0);
      }
    }
}

TEST_CASE("waves come back to a layer soon") {
  // Between two visits there are two layers for each stage, and not the mesh.
  constexpr std::size_t stages = 5, layers = 100;
  std::vector<std::size_t> last(layers);
  std::size_t now = 0;
  std::size_t farthest = 0;
  const auto nothing = [](auto...) {};
  in_waves(stages, layers, nothing, nothing, [&](std::size_t stage, std::size_t layer) {
    ++now;
    if(stage != 0)
      farthest = std::max(farthest, now - last[layer]);
    last[layer] = now;
  });
  CHECK(now == stages * layers);
  CHECK(farthest <= 2 * stages + 1);
}

TEST_CASE("small meshes have one stage, large ones as many as fit into the cache") {
  constexpr std::size_t kib = 1024, mib = 1024 * kib;
  CHECK(stages_worthwhile(64, 64 * kib, 1) == 1);
  CHECK(stages_worthwhile(64 * mib, 1024 * mib, 1) == 1); // not even a few layers fit
  const std::size_t some = stages_worthwhile(64 * kib, 1024 * mib, 1);
  CHECK(some >= 1);
  CHECK(some <= most_stages);
  CHECK(stages_worthwhile(64 * kib, 1024 * mib, 2) >= some);
}
