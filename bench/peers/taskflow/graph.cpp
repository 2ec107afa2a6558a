#include "graph/cases.hpp"

#include <taskflow/taskflow.hpp>

namespace {

struct taskflow {
  explicit taskflow(unsigned workers) : ex(workers) {}
  struct graph {
    graph(taskflow& s, std::uint32_t nodes) : ex(s.ex) { handles.reserve(nodes); }
    template<class F>
    void add(std::uint32_t, F f) {
      handles.push_back(flow.emplace(f));
    }
    void edge(std::uint32_t from, std::uint32_t to) { handles[from].precede(handles[to]); }
    void finish(const std::vector<std::uint32_t>&) {}
    void run() { ex.run(flow).wait(); }
    tf::Executor& ex;
    tf::Taskflow flow;
    std::vector<tf::Task> handles;
  };
  tf::Executor ex;
};

const bool added = bench::graph::add_system<taskflow>("Taskflow", bench::role::peer);

} // namespace
