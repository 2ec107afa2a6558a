#include "forkjoin/cases.hpp"

#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>

#include <utility>

namespace {

struct rondo_fork {
  explicit rondo_fork(unsigned workers) : ex(workers) {}
  template<class F>
  auto run(F f) {
    return ex.run(std::move(f));
  }
  template<class F, class G>
  static auto join(F f, G g) {
    return rondo::join(std::move(f), std::move(g));
  }
  template<class F>
  static void join_n(int n, F f) {
    rondo::join_n(n, std::move(f));
  }
  rondo::executor ex;
};

const bool added = bench::forkjoin::add_system<rondo_fork>("rondo", bench::role::rondo);

} // namespace
