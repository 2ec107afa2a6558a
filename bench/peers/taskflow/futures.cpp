#include "futures/cases.hpp"

#include <taskflow/taskflow.hpp>

namespace {

// Inside of a task get() would block the worker: there its task groups wait, and results are left in
// variables. From outside it is a future.
struct taskflow {
  explicit taskflow(unsigned workers) : ex(workers) {}
  template<class F>
  auto run(F f) {
    return ex.async(std::move(f)).get();
  }
  template<class F>
  auto call(F f) {
    decltype(f()) result;
    auto group = ex.task_group();
    group.silent_async([&result, f] { result = f(); });
    group.corun();
    return result;
  }
  template<class F>
  auto call_from_main(F f) {
    return ex.async(f).get();
  }
  template<class F, class G>
  auto join(F f, G g) {
    decltype(f()) a;
    auto group = ex.task_group();
    group.silent_async([&a, f] { a = f(); });
    auto b = g();
    group.corun();
    return std::pair(a, b);
  }
  // Made inside of a task: a single worker gets to the first link when all are there. Nothing else
  // could hold it back.
  std::uint64_t chain(int links) {
    std::uint64_t value = 0;
    auto last = run([this, links, &value] {
      const auto bump = [&value] { return ++value; };
      auto before = ex.silent_dependent_async(bump);
      for(int i = 0; i < links - 2; ++i)
        before = ex.silent_dependent_async(bump, before);
      return ex.dependent_async(bump, before).second;
    });
    return last.get();
  }
  tf::Executor ex;
};

using namespace bench::futures;

const bool added = add_calls<taskflow>("Taskflow", bench::role::peer) &&
                   add_fib<taskflow>("Taskflow", bench::role::peer) &&
                   add_chain<taskflow>("Taskflow dependent_async", bench::role::peer);

} // namespace
