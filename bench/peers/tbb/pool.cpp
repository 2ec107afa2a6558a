#include <cases.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <utility>

namespace {

// enqueue() is TBB's way from outside; deferred through a task group, it can be waited for, with
// help from the thread that waits.
struct tbb_pool {
  explicit tbb_pool(unsigned threads)
      : limit(tbb::global_control::max_allowed_parallelism, threads + 1),
        arena(static_cast<int>(threads) + 1, 1) {}
  template<class F>
  void enter(F f) {
    f();
  }
  template<class F>
  void submit(F f) {
    arena.enqueue(group.defer(std::move(f)));
  }
  void wait() {
    arena.execute([this] { group.wait(); });
  }
  tbb::global_control limit;
  tbb::task_arena arena;
  tbb::task_group group;
};

const bool added = bench::pool::add_system<tbb_pool>("TBB", bench::role::peer);

} // namespace
