#include "futures/cases.hpp"

#include <future>

namespace {

// A thread for every task, as many at once as the program asks for: registered with two workers, since
// the thread that waits and the thread that works are two.
struct std_async {
  explicit std_async(unsigned) {}
  using heavy = void;
  template<class F>
  auto run(F f) {
    return std::async(std::launch::async, f).get();
  }
  template<class F>
  auto call(F f) {
    return std::async(std::launch::async, f).get();
  }
  template<class F>
  auto call_from_main(F f) {
    return call(f);
  }
  // The default policy: what no thread can be had for runs in get().
  template<class F, class G>
  auto join(F f, G g) {
    auto a = std::async(f);
    const auto b = g();
    return std::pair(a.get(), b);
  }
};

// The nearest to then(): a deferred task that gets the one before it, inside of its own get(). Their
// frames lie on one stack, hence fewer links.
struct std_deferred {
  explicit std_deferred(unsigned) {}
  using heavy = void;
  std::uint64_t chain(int links) {
    std::promise<std::uint64_t> begin;
    auto f = begin.get_future();
    for(int i = 0; i < links; ++i)
      f = std::async(
        std::launch::deferred, [before = std::move(f)]() mutable { return before.get() + 1; });
    begin.set_value(0);
    return f.get();
  }
};

struct std_future : bench::futures::one_by_one<std::promise, std::future> {
  explicit std_future(unsigned) {}
};

using namespace bench::futures;

const bool calls = add_calls<std_async>("std::async", bench::role::peer, {2});
const bool fib_added = add_fib<std_async>("std::async", bench::role::peer, {2});
const bool chain = add_chain<std_deferred>("std::async deferred", bench::role::peer, {1});
const bool when_all = add_when_all<std_future>("std::future", bench::role::peer);

} // namespace
