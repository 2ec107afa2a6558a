#pragma once

// The graph cases, written once over a system S:
//
//   struct S {
//     explicit S(unsigned workers);
//     struct graph {
//       graph(S &, std::uint32_t nodes);                    // room for that many
//       template<class F> void add(std::uint32_t i, F f);   // node i; called for 0, 1, ...
//       void edge(std::uint32_t from, std::uint32_t to);    // both have been added
//       void finish(const std::vector<std::uint32_t> & roots); // all is there
//       void run();                                         // once, to the end
//     };
//   };
//
// The timed nodes bump a counter of their own. The counters show that all were run; their order
// is checked after, by a graph whose nodes look at their predecessors.

#include "graph/shapes.hpp"
#include "harness/case.hpp"
#include "harness/clock.hpp"

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace bench::graph {

template<class Shape>
std::vector<std::uint32_t> roots_of(const Shape& shape) {
  std::vector<std::uint32_t> roots;
  for(std::uint32_t i = 0; i < shape.size(); ++i) {
    bool root = true;
    shape.predecessors(i, [&](std::uint32_t) { root = false; });
    if(root)
      roots.push_back(i);
  }
  return roots;
}

template<class G, class Shape, class MakeBody>
void build(G& g, const Shape& shape, const std::vector<std::uint32_t>& roots, MakeBody body) {
  for(std::uint32_t i = 0; i < shape.size(); ++i) {
    g.add(i, body(i));
    shape.predecessors(i, [&](std::uint32_t p) { g.edge(p, i); });
  }
  g.finish(roots);
}

// Plain counters on purpose: a missing edge or a node run twice shows in them, and under tsan.
template<class S, class Shape>
void check_order(S& s, const Shape& shape, const std::vector<std::uint32_t>& roots) {
  struct state {
    const Shape& shape;
    std::vector<std::uint32_t> passes;
    std::vector<char> wrong;
  };
  state st{shape, std::vector<std::uint32_t>(shape.size()), std::vector<char>(shape.size())};
  {
    typename S::graph g(s, shape.size());
    build(g, shape, roots, [&st](std::uint32_t i) {
      return [&st, i] {
        const auto pass = ++st.passes[i];
        st.shape.predecessors(i, [&](std::uint32_t p) { st.wrong[i] |= st.passes[p] != pass; });
      };
    });
    g.run();
    g.run();
  }
  for(std::uint32_t i = 0; i < shape.size(); ++i) {
    check(st.passes[i] == 2, "graph: a node was not run once per pass");
    check(!st.wrong[i], "graph: a node was run before its predecessor");
  }
}

// What a node does besides counting: a chain of dependent multiplications.
template<class Shape>
void work_of_a_node() {
  if constexpr(requires { Shape::steps; }) {
    std::uint64_t x = 1;
    for(int i = 0; i < Shape::steps; ++i) {
      x = x * 6364136223846793005U + 1442695040888963407U;
      asm volatile("" : "+r"(x)); // computed, though nobody reads it
    }
  }
}

template<class S, class Shape>
figures measure(const context& c, const Shape& shape) {
  S s(c.workers);
  const auto n = shape.size();
  const auto roots = roots_of(shape);
  std::vector<std::uint32_t> counts(n);
  std::uint32_t passes = 0;

  // One life of a graph. Returns its times per node in the order of `metrics`.
  static constexpr std::array metrics = {
    "construct", "first run", "second run", "re-run", "destroy"};
  const auto live = [&] {
    std::optional<typename S::graph> g;
    const auto run = [&] {
      g->run();
      ++passes;
    };
    std::array<double, metrics.size()> t;
    t[0] = time_of([&] {
      g.emplace(s, n);
      build(*g, shape, roots, [&counts](std::uint32_t i) {
        return [p = &counts[i]] {
          work_of_a_node<Shape>();
          ++*p;
        };
      });
    });
    t[1] = time_of(run);
    t[2] = time_of(run);
    t[3] = median_time_of(5, run);
    t[4] = time_of([&] { g.reset(); });
    return t;
  };

  // The first life pays for fresh pages; the others find memory as a program finds it later.
  const auto cold = live();
  std::array<std::vector<double>, metrics.size()> warm;
  for(int round = 0; round < 3; ++round) {
    const auto t = live();
    for(std::size_t k = 0; k < t.size(); ++k)
      warm[k].push_back(t[k]);
  }
  for(const auto k : counts)
    check(k == passes, "graph: a node was not run once per pass");
  check_order(s, shape, roots);

  // Only the chain reports the whole life: a system that learns from a run shows what that costs.
  figures f;
  for(std::size_t k = 0; k < metrics.size(); ++k)
    if(std::is_same_v<Shape, chain> || metrics[k] == std::string("re-run"))
      f.push_back({metrics[k], "ns/node", median(warm[k]) / n});
  if(std::is_same_v<Shape, chain>)
    for(const auto& [metric, ns] : {std::pair("construct in fresh memory", cold[0]),
          std::pair("construct and run in fresh memory", cold[0] + cold[1])})
      f.push_back({metric, "ns/node", ns / n});
  return f;
}

template<class S>
bool add_system(const std::string& system, role who) {
  return for_all_shapes([&](const char* test, auto make) {
    return add({test, system, who, {1, 2},
      [make](const context& c) { return measure<S>(c, make(c.quick)); }});
  });
}

} // namespace bench::graph
