#if __has_include(<rondo/core/executor.hpp>)
#include <cases.hpp>

#include <rondo/core/executor.hpp>

#include <utility>

namespace {

// Submitted from outside: all workers are threads.
struct rondo_pool {
  explicit rondo_pool(unsigned threads) : ex(options(threads)) {}
  static rondo::executor_options options(unsigned threads) {
    rondo::executor_options o;
    o.workers = threads;
    o.background = true;
    return o;
  }
  template<class F>
  void enter(F f) {
    f();
  }
  template<class F>
  void submit(F f) {
    ex.submit(std::move(f));
  }
  void wait() {
    ex.wait();
  }
  static constexpr bool unbounded = true;
  rondo::executor ex;
};

const bool added = bench::pool::add_system<rondo_pool>("rondo", bench::role::rondo);

} // namespace
#endif
