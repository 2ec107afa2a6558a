#include "graph/cases.hpp"

#include <tbb/flow_graph.h>
#include <tbb/global_control.h>

#include <deque>

namespace {

struct tbb_flow {
  explicit tbb_flow(unsigned workers)
      : limit(tbb::global_control::max_allowed_parallelism, workers) {}
  using node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  struct graph {
    graph(tbb_flow&, std::uint32_t) {}
    template<class F>
    void add(std::uint32_t, F f) {
      nodes.emplace_back(g, [f](const tbb::flow::continue_msg&) { f(); });
    }
    void edge(std::uint32_t from, std::uint32_t to) {
      tbb::flow::make_edge(nodes[from], nodes[to]);
    }
    void finish(const std::vector<std::uint32_t>& r) { roots = r; }
    void run() {
      for(const auto i : roots)
        nodes[i].try_put(tbb::flow::continue_msg());
      g.wait_for_all();
    }
    tbb::flow::graph g;
    std::deque<node> nodes; // they can't move
    std::vector<std::uint32_t> roots;
  };
  tbb::global_control limit;
};

const bool added = bench::graph::add_system<tbb_flow>("TBB flow graph", bench::role::peer);

} // namespace
