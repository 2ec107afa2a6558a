#include "forkjoin/cases.hpp"

#include <taskflow/taskflow.hpp>

#include <utility>

namespace {

// Task groups: Taskflow's own benchmarks prefer them to subflows since they exist.
struct taskflow {
  explicit taskflow(unsigned workers) : ex(workers) { current = &ex; }
  template<class F>
  auto run(F f) {
    return ex.async(std::move(f)).get();
  }
  template<class F, class G>
  static auto join(F f, G g) {
    decltype(f()) a;
    auto group = current->task_group();
    group.silent_async([&a, f] { a = f(); });
    auto b = g();
    group.corun();
    return std::pair(a, b);
  }
  template<class F>
  static void join_n(int n, F f) {
    if(n == 0)
      return;
    auto group = current->task_group();
    for(int i = 0; i < n - 1; ++i)
      group.silent_async([&f, i] { f(i); });
    f(n - 1);
    group.corun();
  }
  tf::Executor ex;
  static inline tf::Executor* current = nullptr;
};

const bool added = bench::forkjoin::add_system<taskflow>("Taskflow", bench::role::peer);

} // namespace
