#pragma once

// The graphs, as arithmetic: a shape has size() and calls each(p) for the predecessors p of node i.
// Predecessors have smaller numbers, so nodes can be made in order.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace bench::graph {

struct chain {
  std::uint32_t n;
  std::uint32_t size() const { return n; }
  template<class F>
  void predecessors(std::uint32_t i, F each) const {
    if(i > 0)
      each(i - 1);
  }
};

struct binary_tree {
  std::uint32_t n;
  std::uint32_t size() const { return n; }
  template<class F>
  void predecessors(std::uint32_t i, F each) const {
    if(i > 0)
      each((i - 1) / 2);
  }
};

struct wavefront {
  std::uint32_t side;
  std::uint32_t size() const { return side * side; }
  template<class F>
  void predecessors(std::uint32_t i, F each) const {
    if(i >= side)
      each(i - side);
    if(i % side != 0)
      each(i - 1);
  }
};

// The same with nodes worth scheduling: here a second worker has to pay.
struct working_wavefront : wavefront {
  static constexpr int steps = 700; // about a microsecond
};

// Each node of a layer follows 1 to 4 different nodes of the layer before. Which ones is a hash of
// (seed, node): the same graph in every process.
struct layered {
  explicit layered(std::uint32_t s) : side(s) {
    first.push_back(0);
    for(std::uint32_t i = 0; i < size(); ++i) {
      if(i >= side)
        choose(i);
      first.push_back(static_cast<std::uint32_t>(list.size()));
    }
  }
  std::uint32_t size() const { return side * side; }
  template<class F>
  void predecessors(std::uint32_t i, F each) const {
    for(auto k = first[i]; k < first[i + 1]; ++k)
      each(list[k]);
  }

private:
  static std::uint64_t hash(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }
  void choose(std::uint32_t i) {
    constexpr std::uint64_t seed = 20261;
    const auto layer_before = (i / side - 1) * side;
    const auto count = std::min<std::uint64_t>(side, 1 + hash(seed * i) % 4);
    const auto begin = list.size();
    for(std::uint64_t k = 1; list.size() - begin < count; ++k) {
      const auto p = layer_before + static_cast<std::uint32_t>(hash(seed * i + (k << 40)) % side);
      if(std::find(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end(), p) == list.end())
        list.push_back(p);
    }
  }

  std::uint32_t side;
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> list;
};

// Calls f(name, make) for the graphs that are measured, where make(quick) gives the shape.
template<class F>
bool for_all_shapes(F f) {
  return f("chain", [](bool quick) { return chain{quick ? 10'000U : 1'000'000U}; }) &&
         f("binary tree", [](bool quick) { return binary_tree{quick ? 10'000U : 1'000'000U}; }) &&
         f("wavefront", [](bool quick) { return wavefront{quick ? 64U : 512U}; }) &&
         f("wavefront, 1 us nodes",
           [](bool quick) { return working_wavefront{{quick ? 32U : 128U}}; }) &&
         f("layered random", [](bool quick) { return layered(quick ? 64U : 512U); });
}

} // namespace bench::graph
