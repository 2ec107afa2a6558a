#include "balance/cases.hpp"

#include <rondo/core/algorithm/for_each_index.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/graph.hpp>
#include <rondo/core/scope.hpp>

#include <utility>

namespace {

using namespace bench::balance;

struct rondo_system {
  explicit rondo_system(unsigned workers) : ex(workers) {}
  template<class F>
  void run(F f) {
    ex.run(std::move(f));
  }
  template<class F, class G>
  static void join(F f, G g) {
    rondo::join(std::move(f), std::move(g));
  }
  template<class F>
  static void join_n(int n, F f) {
    rondo::join_n(static_cast<std::size_t>(n), [&f](std::size_t i) { f(static_cast<int>(i)); });
  }
  template<class F>
  static void tasks(F f) {
    rondo::scope s;
    f([&s](auto body) { s.spawn(body); });
    s.wait();
  }
  template<class F>
  static void loop(int n, F f) {
    rondo::for_each_index(
      rondo::extents{static_cast<std::size_t>(n)}, [&f](std::size_t i) { f(static_cast<int>(i)); });
  }
  rondo::executor ex;
};

// A node, and after it a long one and many short ones.
bench::figures measure_graph(const bench::context& c, bool long_is_first) {
  return measure<rondo_system>(c, many_bodies, 1, [long_is_first](int n) {
    rondo::graph g;
    auto first = g.add([] {});
    if(long_is_first)
      first.precede(g.add([] { long_body(long_us); }));
    for(int i = 0; i != n; ++i)
      first.precede(g.add([] { short_body(); }));
    if(!long_is_first)
      first.precede(g.add([] { long_body(long_us); }));
    rondo::this_worker()->home().run(g);
  });
}

const bool added = add_system<rondo_system>("rondo", bench::role::rondo) &&
                   bench::add({"graph, first long", "rondo", bench::role::rondo, few_and_more,
                     [](const bench::context& c) { return measure_graph(c, true); }}) &&
                   bench::add({"graph, last long", "rondo", bench::role::rondo, few_and_more,
                     [](const bench::context& c) { return measure_graph(c, false); }});

} // namespace
