#include <rondo/distributed/launch_order.hpp>

#include <algorithm>
#include <utility>

#include <rondo/core/machine.hpp>

namespace rondo::detail::inline distributed {

launch_order order_colors(const exchange_plan& plan) {
  launch_order order;
  std::vector<bool> waits(plan.colors.size());
  for(const auto& m : plan.incoming)
    for(const auto& p : m.parts)
      waits[p.color] = true;
  for(const bool late : {false, true})
    for(std::size_t c = 0; c != waits.size(); ++c)
      if(waits[c] == late)
        order.colors.push_back(c);
  return order;
}

launch_order order_waves(
  const exchange_plan& plan, std::span<const selection> owned, const wave_options& options) {
  launch_order order = order_colors(plan);
  order.layers = layers_of(plan);
  if(order.layers.size() < 2)
    return order;
  std::size_t largest = 0;
  std::size_t all = 0;
  for(const auto& layer : order.layers) {
    std::size_t elements = 0; // others' ghosts are mostly read in place
    for(const std::size_t c : layer)
      elements += static_cast<std::size_t>(owned[c].size());
    largest = std::max(largest, elements * options.bytes);
    all += elements * options.bytes;
  }
  order.stages = options.stages != 0 ? std::min(options.stages, most_stages)
                                     : stages_worthwhile(largest, all, options.workers);
  return order;
}

std::vector<std::vector<std::size_t>> layers_of(const exchange_plan& plan) {
  const std::size_t colors = plan.colors.size();
  std::vector<std::vector<std::size_t>> neighbours(colors);
  for(const exchange_plan::copy& x : plan.copies) {
    neighbours[x.destination].push_back(x.source);
    neighbours[x.source].push_back(x.destination);
  }
  std::vector<bool> is_found(colors);
  std::vector<std::size_t> layer;
  const auto find = [&](std::size_t c) {
    if(!is_found[c])
      layer.push_back(c);
    is_found[c] = true;
  };
  for(const auto* const messages : {&plan.incoming, &plan.outgoing})
    for(const exchange_plan::message& m : *messages)
      for(const exchange_plan::part& p : m.parts)
        find(p.color);
  for(std::size_t c = 0; c != colors; ++c)
    if(neighbours[c].empty())
      find(c);
  std::vector<std::vector<std::size_t>> layers;
  const auto go_on = [&] {
    while(!layer.empty()) {
      layers.push_back(std::exchange(layer, {}));
      for(const std::size_t c : layers.back())
        for(const std::size_t n : neighbours[c])
          find(n);
    }
  };
  go_on();
  // Parts of the rank that no message reaches, because there is none, or because of how the mesh is
  // cut: each from an end of its own, in layers after all others, which have nothing to do with them.
  for(std::size_t c = 0; c != colors; ++c)
    if(!is_found[c]) {
      find(c);
      go_on();
    }
  return layers;
}

namespace {

/// The second level, and a bit: a sweep that leaves that finds itself in the next one, which is shared,
/// often with programs that we know nothing of.
std::size_t cache_of_worker() {
  constexpr std::size_t usual = std::size_t{1} << 20U;
  const cache_info* const second = this_machine().cache(2);
  return (second != nullptr ? second->bytes : usual) / 2 * 3;
}

} // namespace

std::size_t stages_worthwhile(std::size_t layer, std::size_t bytes, unsigned workers) {
  const std::size_t cache = cache_of_worker() * workers;
  if(bytes <= 4 * cache)
    return 1; // much of it stays there anyway, or in the next cache
  // There are two layers for each stage, of which one is about to be left for good.
  const std::size_t stages = cache / std::max<std::size_t>(layer, 1);
  return stages < 3 ? 1 : std::min(stages, most_stages);
}

} // namespace rondo::detail::inline distributed
