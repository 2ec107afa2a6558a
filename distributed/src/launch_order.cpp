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
  order.layers = layers_of(plan, options.workers);
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

namespace {

/// Colors of a rank, and which of them lie next to each other.
class color_graph {
public:
  explicit color_graph(const exchange_plan& plan) : neighbours_(plan.colors.size()) {
    for(const exchange_plan::copy& x : plan.copies) {
      neighbours_[x.destination].push_back(x.source);
      neighbours_[x.source].push_back(x.destination);
    }
  }

  [[nodiscard]] std::size_t size() const { return neighbours_.size(); }
  [[nodiscard]] bool is_alone(std::size_t c) const { return neighbours_[c].empty(); }

  /// Those, and then each those next to the layer before. Parts of the rank that none of them reaches: each from an end of its own, in
  /// layers after all others, which have nothing to do with them.
  [[nodiscard]] std::vector<std::vector<std::size_t>> layers_from(
    const std::vector<std::size_t>& first) const {
    std::vector<bool> is_found(size());
    std::vector<std::size_t> layer;
    std::vector<std::vector<std::size_t>> layers;
    const auto find = [&](std::size_t c) {
      if(!is_found[c])
        layer.push_back(c);
      is_found[c] = true;
    };
    const auto go_on = [&] {
      while(!layer.empty()) {
        layers.push_back(std::exchange(layer, {}));
        for(const std::size_t c : layers.back())
          for(const std::size_t n : neighbours_[c])
            find(n);
      }
    };
    for(const std::size_t c : first)
      find(c);
    go_on();
    for(std::size_t c = 0; c != size(); ++c)
      if(!is_found[c]) {
        find(c);
        go_on();
      }
    return layers;
  }

private:
  std::vector<std::vector<std::size_t>> neighbours_;
};

} // namespace

std::vector<std::vector<std::size_t>> layers_of(const exchange_plan& plan, unsigned workers) {
  const color_graph colors(plan);
  std::vector<std::size_t> first;
  for(const auto* const messages : {&plan.incoming, &plan.outgoing})
    for(const exchange_plan::message& m : *messages)
      for(const exchange_plan::part& p : m.parts)
        first.push_back(p.color);
  for(std::size_t c = 0; c != colors.size(); ++c)
    if(colors.is_alone(c))
      first.push_back(c);
  auto layers = colors.layers_from(first);
  for(unsigned fronts = 1; fronts < workers && layers.size() * workers > colors.size() + workers;
      ++fronts) {
    if(first.empty())
      first.push_back(0);
    first.push_back(layers.back().front());
    layers = colors.layers_from(first);
  }
  return layers;
}

std::size_t stages_worthwhile(std::size_t layer, std::size_t bytes, unsigned workers) {
  constexpr std::size_t usual = std::size_t{1} << 20U;
  // Much of a mesh that is no larger is left there anyway, or in the next cache.
  constexpr std::size_t hardly_larger = 6;
  // More than fits there: what doesn't is in the next cache, which is shared, though, often with programs that we know nothing of.
  constexpr std::size_t worth_using = 3;
  const cache_info* const second = this_machine().cache(2);
  const std::size_t cache = (second != nullptr ? second->bytes : usual) * workers;
  if(bytes <= hardly_larger * cache)
    return 1;
  // There are two layers for each stage, of which one is about to be left for good.
  const std::size_t stages = worth_using * cache / std::max<std::size_t>(layer, 1);
  return stages < 3 ? 1 : std::min(stages, most_stages);
}

} // namespace rondo::detail::inline distributed
