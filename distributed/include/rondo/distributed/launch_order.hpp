#pragma once

/// \file
/// In which order a launch's tasks are launched, color by color; and of large meshes how many launches at a
/// time, layer by layer.
///
/// A pure function of the plan of exchanges and of sizes. It decides nothing about results, nor about what
/// waits for what, and ranks need not agree on it.

#include <cstddef>
#include <span>
#include <vector>

#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/selection.hpp>

namespace rondo::detail::inline distributed {

struct launch_order {
  /// First those that need no messages.
  std::vector<std::size_t> colors;
  /// Of so many launches over the topology, one after the other, it pays to work on a color for all
  /// of them while it is in the cache: gathering.hpp. One: for small meshes.
  std::size_t stages = 1;
  /// The colors once more: waves.hpp.
  std::vector<std::vector<std::size_t>> layers;
};

[[nodiscard]] launch_order order_colors(const exchange_plan& plan);

struct wave_options {
  std::size_t bytes = 0;  ///< Of an element, in all fields in use.
  std::size_t stages = 0; ///< As above. 0: as many as are worthwhile.
  unsigned workers = 1;
};

/// With stages and layers. `owned`: by each color.
[[nodiscard]] launch_order order_waves(
  const exchange_plan& plan, std::span<const selection> owned, const wave_options& options);

/// The colors of a rank, layer by layer: 0 are those with messages, or the first one, and then each
/// those next to the layer before. Colors without neighbours are in layer 0. So that each worker has one in most layers, more of them begin in
/// layer 0: those farthest from all that do. Then a wave has several fronts, which meet where they began, or
/// half-way between, and each worker goes along with one of them.
[[nodiscard]] std::vector<std::vector<std::size_t>> layers_of(
  const exchange_plan& plan, unsigned workers = 1);

/// More are of no more use.
inline constexpr std::size_t most_stages = 32;

/// How many stages there should be if the largest layer has so many bytes, and all have `bytes`
/// together: two layers for each have to stay in the caches of so many workers. 1: it doesn't pay.
[[nodiscard]] std::size_t stages_worthwhile(std::size_t layer, std::size_t bytes, unsigned workers);

} // namespace rondo::detail::inline distributed
