#include <cases.hpp>

#include <scheduling/scheduling.hpp>

#include <utility>

namespace {

// Its Wait() blocks; the Wait() with a predicate would help, but the pool doesn't say when all is done.
struct scheduling_pool {
  explicit scheduling_pool(unsigned threads) : pool(threads) {}
  template<class F>
  void enter(F f) {
    f();
  }
  template<class F>
  void submit(F f) {
    pool.Submit(std::move(f));
  }
  void wait() { pool.Wait(); }
  scheduling::ThreadPool pool;
};

const bool added = bench::pool::add_system<scheduling_pool>("scheduling", bench::role::peer);

} // namespace
