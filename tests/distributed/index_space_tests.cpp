// Index spaces, and plans over them, without any scheduler: what a new kind of mesh has to bring along.

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/index_space.hpp>
#include <rondo/distributed/launch_order.hpp>
#include <rondo/distributed/structured_points.hpp>

using namespace rondo;
using namespace rondo::detail;

namespace {

/// Colors around a ring, each with so many elements that differ, of which its two neighbours see the
/// first one and the last one. Nothing about it is structured.
class beads final : public index_space {
public:
  explicit beads(std::vector<std::int64_t> sizes) : sizes_(std::move(sizes)) {}

  [[nodiscard]] block_layout layout(color_id c) const override {
    return block_layout::around(box<1>{{-1}, {sizes_[c] + 1}});
  }
  [[nodiscard]] selection owned(color_id c) const override { return some(0, sizes_[c]); }
  [[nodiscard]] std::vector<neighbour> neighbours(color_id c) const override {
    const color_id n = sizes_.size();
    const color_id before = (c + n - 1) % n;
    const color_id after = (c + 1) % n;
    const std::int64_t own = sizes_[c];
    return {{before, 0, 1, some(-1, 0), some(sizes_[before] - 1, sizes_[before]), some(0, 1)},
      {after, 1, 0, some(own, own + 1), some(0, 1), some(own - 1, own)}};
  }
  [[nodiscard]] std::optional<block_layout> together(const color_set& /*any*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] bool has_ghosts() const override { return true; }

private:
  static selection some(std::int64_t first, std::int64_t last) {
    return selection::of(box<1>{{first}, {last}});
  }
  std::vector<std::int64_t> sizes_;
};

/// The values of a color as a field would have them.
struct values {
  std::vector<double> all;
  color_block block;
  explicit values(const block_layout& l) : all(static_cast<std::size_t>(l.elements), -1) {
    block.origin = reinterpret_cast<std::byte*>(all.data() + l.origin);
    block.stride[0] = l.stride[0];
    block.stride[1] = l.stride[1];
  }
};

constexpr std::size_t size = sizeof(double);

} // namespace

TEST_CASE("any index space can be exchanged, with messages of as many elements as it says") {
  const beads space({3, 1, 4, 1, 5, 9, 2, 6});
  for(const unsigned ranks : {1U, 2U, 3U, 8U}) {
    CAPTURE(ranks);
    std::vector<local_elements> parts;
    std::vector<std::vector<values>> fields(ranks);
    for(unsigned r = 0; r != ranks; ++r) {
      parts.push_back(elements_of(partition({8, ranks}, r), space));
      const exchange_plan& plan = parts.back().plan;
      for(std::size_t c = 0; c != plan.colors.size(); ++c) {
        values& v = fields[r].emplace_back(parts.back().layouts[c]);
        const std::int64_t n = parts.back().owned[c].size();
        for(std::int64_t i = 0; i != n; ++i) // the color, and which one of it
          v.all[static_cast<std::size_t>(i + 1)] =
            100.0 * static_cast<double>(plan.number_of(c)) + static_cast<double>(i);
      }
    }
    for(unsigned r = 0; r != ranks; ++r) {
      const exchange_plan& plan = parts[r].plan;
      for(const auto& c : plan.copies)
        copy(fields[r][c.source].block, c.from, fields[r][c.destination].block, c.to, size);
      for(const auto& in : plan.incoming) {
        std::vector<std::byte> message(static_cast<std::size_t>(in.size) * size);
        for(const auto& out : parts[in.peer].plan.outgoing)
          if(out.peer == r) {
            REQUIRE(out.size == in.size);
            for(const auto& p : out.parts)
              pack(fields[in.peer][p.color].block, p.elements, size,
                message.data() + static_cast<std::size_t>(p.offset) * size);
          }
        for(const auto& p : in.parts)
          unpack(message.data() + static_cast<std::size_t>(p.offset) * size,
            fields[r][p.color].block, p.elements, size);
      }
    }
    const std::int64_t sizes[] = {3, 1, 4, 1, 5, 9, 2, 6};
    for(unsigned r = 0; r != ranks; ++r)
      for(std::size_t c = 0; c != fields[r].size(); ++c) {
        const std::size_t color = parts[r].plan.number_of(c);
        const std::size_t before = (color + 7) % 8;
        CHECK(fields[r][c].all.front() ==
              100.0 * static_cast<double>(before) + static_cast<double>(sizes[before] - 1));
        CHECK(fields[r][c].all.back() == 100.0 * static_cast<double>((color + 1) % 8));
      }
  }
}

TEST_CASE("several index spaces of one partition are on the same ranks") {
  const structured_coloring<2> mesh({.extents = {24, 24}, .colors = {4, 4}, .halo = 1});
  for(unsigned rank = 0; rank != 3; ++rank) {
    const partition cut(mesh.over(3), rank, 7);
    const local_elements points = elements_of(cut, structured_points<2>(mesh));
    const local_elements values = elements_of(cut, values_of_colors(1));
    CHECK(points.plan.colors == values.plan.colors);
    CHECK(points.has_ghosts);
    CHECK_FALSE(values.has_ghosts);
    CHECK(values.plan.looked_at == 0);
    std::int64_t owned = 0;
    for(const selection& s : points.owned)
      owned += s.size();
    CHECK(owned == static_cast<std::int64_t>(cut.local_colors()) * 36);
    for(const selection& s : values.owned)
      CHECK(s.size() == 1);
  }
}

TEST_CASE(
  "colors lie together unless ghosts at corners, or of thin colors, would belong to several") {
  const auto are_together = [](const structured_shape<2>& shape, std::int64_t by = 1) {
    structured_coloring<2> mesh(shape);
    if(by != 1)
      mesh = mesh.coarsened({by, by});
    const partition cut(mesh.over(1), 0);
    return elements_of(cut, structured_points<2>(mesh)).together.has_value();
  };
  structured_shape<2> layers{.extents = {24, 24}, .colors = {1, 6}, .halo = 1};
  CHECK(are_together(layers));
  layers.diagonals = true;
  CHECK(are_together(layers));
  CHECK(are_together(layers, 4));
  CHECK_FALSE(are_together(layers, 5)); // some have none
  layers.halo = 2;
  CHECK_FALSE(are_together(layers, 4));
  layers.periodic[1] = true;
  CHECK(are_together(layers));
  layers.periodic[0] = true;
  CHECK_FALSE(are_together(layers));
  layers.diagonals = false;
  CHECK(are_together(layers));
  structured_shape<2> squares{.extents = {24, 24}, .colors = {4, 4}, .halo = 1};
  CHECK(are_together(squares));
  squares.diagonals = true;
  CHECK_FALSE(are_together(squares));
}

TEST_CASE("colors that need no messages are launched first, and each of them once") {
  for(std::uint64_t seed = 0; seed != 300; ++seed) {
    CAPTURE(seed);
    const structured_coloring<2> mesh(meshes::random_shape<2>(seed));
    const unsigned ranks = meshes::random_ranks(seed, mesh.colors());
    const exchange_plan plan = plan_exchange(mesh, ranks, ranks - 1);
    std::set<std::size_t> waits;
    for(const auto& m : plan.incoming)
      for(const auto& p : m.parts)
        waits.insert(p.color);
    const launch_order order = order_colors(plan);
    CHECK(order.stages == 1);
    REQUIRE(order.colors.size() == plan.colors.size());
    CHECK(std::set(order.colors.begin(), order.colors.end()).size() == order.colors.size());
    for(std::size_t i = 0; i != order.colors.size(); ++i)
      CHECK(waits.contains(order.colors[i]) == (i >= order.colors.size() - waits.size()));
  }
}

TEST_CASE("a mesh of one layer is not worked on in stages, whatever it was asked for") {
  const structured_coloring<1> mesh({.extents = {64}, .colors = {8}, .halo = 0});
  const local_elements points = elements_of(partition(mesh.over(1), 0), structured_points<1>(mesh));
  CHECK(order_waves(points.plan, points.owned, {.bytes = 16, .stages = 8}).stages == 1);
  const structured_coloring<1> chain({.extents = {64}, .colors = {8}, .halo = 1});
  const local_elements linked =
    elements_of(partition(chain.over(1), 0), structured_points<1>(chain));
  CHECK(order_waves(linked.plan, linked.owned, {.bytes = 16, .stages = 8}).stages == 8);
  CHECK(
    order_waves(linked.plan, linked.owned, {.bytes = 16, .stages = 1000}).stages == most_stages);
}

TEST_CASE("selections say how many elements they have and where") {
  CHECK(selection().size() == 0);
  const selection plane = selection::of(box<3>{{1, 2, 3}, {5, 4, 4}});
  CHECK(plane.size() == 8);
  CHECK(plane.bounds() == box<3>{{1, 2, 3}, {5, 4, 4}});
  CHECK(describe(plane) == "[1, 5) x [2, 4) x [3, 4)");
  CHECK(describe(selection::of(box<1>{{-1}, {0}})) == "[-1, 0)");
}
