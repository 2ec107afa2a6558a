#include <cases.hpp>

#include <taskflow/taskflow.hpp>

#include <utility>

namespace {

struct taskflow_pool {
  explicit taskflow_pool(unsigned threads) : ex(threads) {}
  template<class F>
  void enter(F f) {
    f();
  }
  template<class F>
  void submit(F f) {
    ex.silent_async(std::move(f));
  }
  void wait() { ex.wait_for_all(); }
  tf::Executor ex;
};

const bool added = bench::pool::add_system<taskflow_pool>("Taskflow", bench::role::peer);

} // namespace
