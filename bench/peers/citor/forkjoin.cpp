#include "forkjoin/cases.hpp"

#include <citor/thread_pool.h>

#include <utility>

namespace {

using hints = citor::HintsDefaults;

struct citor_fork {
  explicit citor_fork(unsigned workers) : pool(workers) { current = &pool; }
  // The caller takes part as slot 0: no hand-over is needed.
  template<class F>
  auto run(F f) {
    return f();
  }
  template<class F, class G>
  static auto join(F f, G g) {
    decltype(f()) a;
    decltype(g()) b;
    current->forkJoin<hints>([&a, &f] { a = f(); }, [&b, &g] { b = g(); });
    return std::pair(a, b);
  }
  template<class F>
  static void join_n(int n, F f) {
    if(n == 0)
      return;
    current->forkJoinAll<hints>(
      static_cast<std::size_t>(n), [&f](std::size_t i) { f(static_cast<int>(i)); });
  }
  citor::ThreadPool pool;
  static inline citor::ThreadPool* current = nullptr;
};

// With one participant citor calls its tasks and forks nothing: nothing to compare.
const bool added = bench::forkjoin::add_system<citor_fork>("citor", bench::role::peer, {2});

} // namespace
