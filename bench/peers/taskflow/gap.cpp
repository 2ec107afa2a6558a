#include "gap/cases.hpp"

#include <array>
#include <taskflow/taskflow.hpp>
#include <utility>

namespace {

// Launched by a task, so that the one worker can do nothing else meanwhile. The task that has written a
// handle last is kept by hand, as a user has to.
struct taskflow {
  template<class Make, class Launched>
  void run(std::size_t n, std::size_t places, const Make& task, const Launched& launched) {
    ex.silent_async([&, n, places] {
      for(std::size_t i = 0; i != n; ++i)
        if(places == 0)
          ex.silent_async(task(i));
        else {
          tf::AsyncTask& last = writers[i % places];
          last = last.empty() ? ex.silent_dependent_async(task(i))
                              : ex.silent_dependent_async(task(i), last);
        }
      launched();
    });
    ex.wait_for_all();
  }
  tf::Executor ex{1};
  std::array<tf::AsyncTask, bench::gap::most_places> writers;
};

struct apart {
  template<class F>
  void submit(F f) {
    ex.silent_async(std::move(f));
  }
  void wait() { ex.wait_for_all(); }
  tf::Executor ex{1};
};

const bool added = bench::gap::add_system<taskflow>("Taskflow", bench::role::peer) &&
                   bench::gap::add_latency<apart>("Taskflow", bench::role::peer);

} // namespace
