#include "forkjoin/cases.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <utility>

namespace {

struct tbb_fork {
  // Stealing while waiting nests deeply; TBB's default stacks of 2 MB are short for that.
  explicit tbb_fork(unsigned workers)
      : stacks(tbb::global_control::thread_stack_size, 8 << 20), arena(static_cast<int>(workers)) {}
  template<class F>
  auto run(F f) {
    return arena.execute(f);
  }
  template<class F, class G>
  static auto join(F f, G g) {
    decltype(f()) a;
    tbb::task_group group;
    group.run([&a, f] { a = f(); });
    auto b = g();
    group.wait();
    return std::pair(a, b);
  }
  template<class F>
  static void join_n(int n, F f) {
    if(n == 0)
      return;
    tbb::task_group group;
    for(int i = 0; i < n - 1; ++i)
      group.run([&f, i] { f(i); });
    f(n - 1);
    group.wait();
  }
  tbb::global_control stacks;
  tbb::task_arena arena;
};

const bool added = bench::forkjoin::add_system<tbb_fork>("TBB", bench::role::peer);

} // namespace
