#include "gap/cases.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <utility>

namespace {

struct tbb_group {
  using independent = void;
  template<class Make, class Launched>
  void run(std::size_t n, std::size_t, const Make& task, const Launched& launched) {
    arena.execute([&] {
      for(std::size_t i = 0; i != n; ++i)
        group.run(task(i));
      launched();
      group.wait();
    });
  }
  tbb::global_control limit{tbb::global_control::max_allowed_parallelism, 1};
  tbb::task_arena arena{1, 1};
  tbb::task_group group;
};

struct apart {
  template<class F>
  void submit(F f) {
    arena.enqueue(group.defer(std::move(f)));
  }
  void wait() {
    arena.execute([this] { group.wait(); });
  }
  tbb::global_control limit{tbb::global_control::max_allowed_parallelism, 2};
  tbb::task_arena arena{2, 1};
  tbb::task_group group;
};

const bool added = bench::gap::add_system<tbb_group>("TBB", bench::role::peer) &&
                   bench::gap::add_latency<apart>("TBB", bench::role::peer);

} // namespace
