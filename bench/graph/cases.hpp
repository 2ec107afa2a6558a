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
// The timed nodes bump a counter of their own. That all were run is seen from the counters; that
// they run in order is checked after, by a graph whose nodes look at their predecessors.

#include "graph/shapes.hpp"
#include "harness/case.hpp"
#include "harness/clock.hpp"

#include <optional>
#include <string>
#include <type_traits>

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

template<class S, class Shape>
figures measure(const context& c, const Shape& shape) {
  S s(c.workers);
  const auto n = shape.size();
  const auto roots = roots_of(shape);

  std::vector<std::uint32_t> counts(n);
  std::optional<typename S::graph> g;
  const int reruns = 7;
  const double construct = time_of([&] {
    g.emplace(s, n);
    build(*g, shape, roots, [&counts](std::uint32_t i) { return [p = &counts[i]] { ++*p; }; });
  });
  const double first = time_of([&] { g->run(); });
  const double second = time_of([&] { g->run(); });
  const double again = median_time_of(reruns, [&] { g->run(); });
  const double destroy = time_of([&] { g.reset(); });
  for(const auto k : counts)
    check(k == reruns + 2, "graph: a node was not run once per pass");
  // Afterwards: a heap that has held a graph already scatters the nodes of the next.
  check_order(s, shape, roots);

  const auto per_node = [n](const char* metric, double t) {
    return measurement{metric, "ns/node", t / n};
  };
  figures f = {per_node("re-run", again)};
  // Only the chain tells these apart: a system that learns from a run shows what learning costs.
  if(std::is_same_v<Shape, chain>)
    f.insert(f.end(), {per_node("construct", construct), per_node("first run", first),
                        per_node("second run", second), per_node("destroy", destroy)});
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
