#include "graph/cases.hpp"

#include <scheduling/scheduling.hpp>

namespace {

struct scheduling_graph {
  explicit scheduling_graph(unsigned workers) : pool(workers) {}
  struct graph {
    graph(scheduling_graph& s, std::uint32_t nodes) : pool(s.pool) { tasks.reserve(nodes); }
    template<class F>
    void add(std::uint32_t, F f) {
      tasks.emplace_back(f);
    }
    void edge(std::uint32_t from, std::uint32_t to) { tasks[to].Succeed(&tasks[from]); }
    void finish(const std::vector<std::uint32_t>& r) { roots = r; }
    // Its roots by name: to submit the whole vector would look for them on every run.
    void run() {
      for(const auto i : roots)
        pool.Submit(&tasks[i]);
      pool.Wait();
    }
    scheduling::ThreadPool& pool;
    std::vector<scheduling::Task> tasks;
    std::vector<std::uint32_t> roots;
  };
  scheduling::ThreadPool pool;
};

const bool added = bench::graph::add_system<scheduling_graph>("scheduling", bench::role::peer);

} // namespace
