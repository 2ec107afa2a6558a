#pragma once

/// \file
/// An order of launches in which a color is worked on several times while it is in the cache.
///
/// A loop over a mesh that is larger than the cache reads all of it from memory in each sweep. But
/// a color may be swept again as soon as its neighbours have been swept: so we go through the mesh
/// once, and do several sweeps, each a bit behind the one before. With colors as layers (launch_order.hpp), and
/// sweeps (*stages*) numbered from 0, the wave with number w does
///
///   stage 0 in layer w, stage 1 in layer w - 2, stage 2 in layer w - 4, ...
///
/// and, one layer ahead of each, fills the ghosts that it needs. Messages are sent as soon as layer
/// 0 has what they need, and layer 0 is where messages come from: two ranks that are neighbours
/// begin at their common border, and go on side by side.
///
/// This is an order of launches and nothing else: what runs when follows from what they read and
/// write, as always. In this order all pairs of launches that have to do with each other come as in
/// that of the program:
///  - Layers of colors that are neighbours differ by 1 at most. Of two stages s < t, stage s comes
///    to a color's neighbours, in wave layer + 1 + 2 s at the latest, before the ghosts that it
///    needs for t are filled, in wave layer - 1 + 2 t; if these are one wave, the lower stage
///    is first.
///  - In turn its ghosts are filled, in wave layer - 1 + 2 t, before its neighbours are changed by
///    stage t, in wave layer - 1 + 2 t at the earliest, after the filling in the same wave.

#include <cstddef>
#include <cstdint>

namespace rondo::detail::inline distributed {

/// Calls `messages(stage)`, `ghosts(stage, layer)` and `tasks(stage, layer)` in that order.
template<class Messages, class Ghosts, class Tasks>
void in_waves(
  std::size_t stages, std::size_t layers, Messages&& messages, Ghosts&& ghosts, Tasks&& tasks) {
  const auto s_end = static_cast<std::int64_t>(stages);
  const auto l_end = static_cast<std::int64_t>(layers);
  const std::int64_t last = l_end - 1 + 2 * (s_end - 1);
  for(std::int64_t wave = -2; wave <= last; ++wave) {
    // Of the stages, those that have come to a layer, or are about to.
    const std::int64_t first = wave < l_end ? 0 : (wave - l_end + 1) / 2;
    for(std::int64_t s = first; s != s_end && 2 * s <= wave + 2; ++s) {
      const std::int64_t layer = wave - 2 * s;
      if(layer == -2)
        messages(static_cast<std::size_t>(s));
      if(layer + 1 >= 0 && layer + 1 < l_end)
        ghosts(static_cast<std::size_t>(s), static_cast<std::size_t>(layer + 1));
      if(layer >= 0 && layer < l_end)
        tasks(static_cast<std::size_t>(s), static_cast<std::size_t>(layer));
    }
  }
}

} // namespace rondo::detail::inline distributed
