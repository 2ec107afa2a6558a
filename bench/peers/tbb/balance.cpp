#include "balance/cases.hpp"

#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <deque>
#include <utility>

namespace {

using namespace bench::balance;

struct tbb_system {
  explicit tbb_system(unsigned workers)
      : limit(tbb::global_control::max_allowed_parallelism, workers),
        arena(static_cast<int>(workers)) {}
  template<class F>
  void run(F f) {
    arena.execute(f);
  }
  template<class F, class G>
  static void join(F f, G g) {
    tbb::parallel_invoke(f, g);
  }
  template<class F>
  static void join_n(int n, F f) {
    tbb::task_group group;
    for(int i = n; i-- > 1;)
      group.run([&f, i] { f(i); });
    group.run_and_wait([&f] { f(0); });
  }
  template<class F>
  static void tasks(F f) {
    tbb::task_group group;
    f([&group](auto body) { group.run(body); });
    group.wait();
  }
  template<class F>
  static void loop(int n, F f) {
    tbb::parallel_for(0, n, f);
  }
  tbb::global_control limit;
  tbb::task_arena arena;
};

bench::figures measure_graph(const bench::context& c, bool long_is_first) {
  using namespace tbb::flow;
  using node = continue_node<continue_msg>;
  return measure<tbb_system>(c, many_bodies, 1, [long_is_first](int n) {
    graph g;
    broadcast_node<continue_msg> first(g);
    std::deque<node> nodes;
    const auto add_node = [&](auto body) {
      make_edge(first, nodes.emplace_back(g, [body](const continue_msg&) { body(); }));
    };
    if(long_is_first)
      add_node([] { long_body(long_us); });
    for(int i = 0; i != n; ++i)
      add_node([] { short_body(); });
    if(!long_is_first)
      add_node([] { long_body(long_us); });
    first.try_put(continue_msg());
    g.wait_for_all();
  });
}

const bool added = add_system<tbb_system>("TBB", bench::role::peer) &&
                   bench::add({"graph, first long", "TBB", bench::role::peer, few_and_more,
                     [](const bench::context& c) { return measure_graph(c, true); }}) &&
                   bench::add({"graph, last long", "TBB", bench::role::peer, few_and_more,
                     [](const bench::context& c) { return measure_graph(c, false); }});

} // namespace
