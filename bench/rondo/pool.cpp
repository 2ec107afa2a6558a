#include <cases.hpp>

#include <rondo/core/executor.hpp>

#include <utility>

namespace {

// All workers are threads of their own. Or, where the submitting thread waits at once, it has the
// seat of a worker as in a program without options.
template<bool background>
struct rondo_pool {
  explicit rondo_pool(unsigned threads) : ex(options(threads)) {}
  static rondo::executor_options options(unsigned threads) {
    rondo::executor_options o;
    o.workers = background ? threads : threads + 1;
    o.background = background;
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
  void wait() { ex.wait(); }
  using helping = rondo_pool<false>;
  rondo::executor ex;
};

const bool added = bench::pool::add_system<rondo_pool<true>>("rondo", bench::role::rondo);

} // namespace
