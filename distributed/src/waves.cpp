#include <rondo/distributed/waves.hpp>

#include <algorithm>
#include <utility>

#include <rondo/core/machine.hpp>

namespace rondo::detail::inline distributed {

std::vector<std::vector<std::size_t>> layers_of(const halo_plan& plan, std::size_t colors) {
  std::vector<std::vector<std::size_t>> neighbours(colors);
  for(std::size_t c = 0; c != plan.copies.size(); ++c)
    for(const halo_plan::copy& x : plan.copies[c]) {
      neighbours[c].push_back(x.source);
      neighbours[x.source].push_back(c);
    }
  std::vector<bool> is_found(colors);
  std::vector<std::size_t> layer;
  const auto find = [&](std::size_t c) {
    if(!is_found[c])
      layer.push_back(c);
    is_found[c] = true;
  };
  for(const auto* const messages : {&plan.incoming, &plan.outgoing})
    for(const halo_plan::message& m : *messages)
      for(const halo_plan::part& p : m.parts)
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

/// The second level, and a bit: who leaves that finds itself in the next one, which is shared,
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
