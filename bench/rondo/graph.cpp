#include "graph/cases.hpp"

#include <rondo/core/executor.hpp>
#include <rondo/core/graph.hpp>

namespace {

struct rondo_graph {
  explicit rondo_graph(unsigned workers) : ex(workers) {}
  struct graph {
    graph(rondo_graph& s, std::uint32_t) : ex(s.ex) {}
    template<class F>
    void add(std::uint32_t, F f) {
      g.add(f);
    }
    void edge(std::uint32_t from, std::uint32_t to) { g[to].succeed(g[from]); }
    void finish(const std::vector<std::uint32_t>&) {}
    void run() { ex.run(g); }
    rondo::executor& ex;
    rondo::graph g;
  };
  rondo::executor ex;
};

const bool added = bench::graph::add_system<rondo_graph>("rondo", bench::role::rondo);

} // namespace
