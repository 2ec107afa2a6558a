// TBB has no futures: a task leaves its result in a variable, and the group's wait() comes before
// the variable is read.

#include "futures/cases.hpp"

#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include <deque>

namespace {

// The calling thread is one of the workers, with no arena to enter first.
struct tbb_group {
  explicit tbb_group(unsigned workers)
      : limit(tbb::global_control::max_allowed_parallelism, workers),
        stacks(tbb::global_control::thread_stack_size, 8 << 20) {}
  template<class F>
  auto run(F f) {
    return call(f);
  }
  // Not run_and_wait(): that calls f, and no other thread could take it.
  template<class F>
  auto call(F f) {
    decltype(f()) result;
    tbb::task_group group;
    group.run([&result, f] { result = f(); });
    group.wait();
    return result;
  }
  template<class F>
  auto call_from_main(F f) {
    return call(f);
  }
  template<class F, class G>
  auto join(F f, G g) {
    decltype(f()) a;
    tbb::task_group group;
    group.run([&a, f] { a = f(); });
    auto b = g();
    group.wait();
    return std::pair(a, b);
  }
  tbb::global_control limit;
  tbb::global_control stacks; // stealing while waiting nests deeply
};

// As with then(), the chain is there before its first link is set off.
struct tbb_flow {
  explicit tbb_flow(unsigned workers)
      : limit(tbb::global_control::max_allowed_parallelism, workers) {}
  using node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  std::uint64_t chain(int links) {
    std::uint64_t value = 0;
    tbb::flow::graph g;
    std::deque<node> nodes; // they can't move
    for(int i = 0; i < links; ++i) {
      nodes.emplace_back(g, [&value](const tbb::flow::continue_msg&) { ++value; });
      if(i > 0)
        tbb::flow::make_edge(nodes[nodes.size() - 2], nodes.back());
    }
    nodes.front().try_put(tbb::flow::continue_msg());
    g.wait_for_all();
    return value;
  }
  tbb::global_control limit;
};

using namespace bench::futures;

const bool added = add_calls<tbb_group>("TBB", bench::role::peer) &&
                   add_fib<tbb_group>("TBB", bench::role::peer) &&
                   add_chain<tbb_flow>("TBB flow graph", bench::role::peer);

} // namespace
