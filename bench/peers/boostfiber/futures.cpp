#include "futures/cases.hpp"

#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/all.hpp>

#include <mutex>
#include <thread>

namespace {

namespace fibers = boost::fibers;

// One worker is the calling thread with the default algorithm, round robin, and stacks from a pool.
// More share their fibers by work stealing; a pool is not for several threads.
class fiber_threads {
public:
  explicit fiber_threads(unsigned workers) : pooled_(workers == 1) {
    if(workers == 1)
      return;
    for(unsigned i = 1; i < workers; ++i)
      others_.emplace_back([this, workers] {
        fibers::use_scheduling_algorithm<fibers::algo::work_stealing>(workers);
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return is_done_; }); // other fibers run here meanwhile
      });
    fibers::use_scheduling_algorithm<fibers::algo::work_stealing>(workers); // waits for the others
  }
  ~fiber_threads() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    done_.notify_all();
    for(auto& t : others_)
      t.join();
  }
  // `dispatch` switches to the new fiber at once, so that it need not be scheduled to begin.
  template<class F>
  auto start(F f) {
    constexpr auto at_once = fibers::launch::dispatch;
    return pooled_ ? fibers::async(at_once, std::allocator_arg, pool_, std::move(f))
                   : fibers::async(at_once, std::move(f));
  }

private:
  bool pooled_;
  // Grows by at most 4096 stacks at once: doubling, it would ask for 8 GiB in one piece.
  fibers::pooled_fixedsize_stack pool_{
    fibers::fixedsize_stack::traits_type::default_size(), 32, 4096};
  fibers::mutex mutex_;
  fibers::condition_variable done_;
  bool is_done_ = false;
  std::vector<std::thread> others_;
};

struct fiber {
  explicit fiber(unsigned workers) : threads(workers) {}
  template<class F>
  auto run(F f) {
    return threads.start(std::move(f)).get();
  }
  template<class F>
  auto call(F f) {
    return threads.start(std::move(f)).get();
  }
  template<class F>
  auto call_from_main(F f) {
    return call(f);
  }
  template<class F, class G>
  auto join(F f, G g) {
    auto a = threads.start(std::move(f));
    const auto b = g();
    return std::pair(a.get(), b);
  }
  fiber_threads threads;
};

struct fiber_future : bench::futures::one_by_one<fibers::promise, fibers::future> {
  explicit fiber_future(unsigned workers) : threads(workers) {}
  void play(bench::futures::rally<fiber_future>& r) {
    auto a = threads.start([&r] { r.serve(); });
    auto b = threads.start([&r] { r.answer(); });
    a.get();
    b.get();
  }
  template<class F>
  std::int64_t block(int n, int value, F all_blocked) {
    fibers::promise<int> gate;
    const auto wait = [opened = gate.get_future().share()] { return opened.get(); };
    std::vector<fibers::future<int>> results;
    results.reserve(static_cast<std::size_t>(n));
    for(int i = 0; i < n; ++i)
      results.push_back(threads.start(wait)); // returns when the fiber waits
    all_blocked();
    gate.set_value(value);
    std::int64_t sum = 0;
    for(auto& f : results)
      sum += f.get();
    return sum;
  }
  fiber_threads threads;
};

// Without then(): a fiber per link that waits for the one before. Each has a stack, hence fewer links.
struct fiber_chain {
  explicit fiber_chain(unsigned workers) : threads(workers) {}
  using heavy = void;
  std::uint64_t chain(int links) {
    fibers::promise<std::uint64_t> begin;
    auto f = begin.get_future();
    for(int i = 0; i < links; ++i)
      f = threads.start([before = std::move(f)]() mutable { return before.get() + 1; });
    begin.set_value(0);
    return f.get();
  }
  fiber_threads threads;
};

// The switch alone, with no future: what of "blocked get" is the switch of stacks.
bench::figures measure_yield(const bench::context& c) {
  const int n = c.quick ? 500 : 100'000;
  const auto match = [](int rounds) {
    int turn = 0;
    bool right = true;
    const auto player = [&](int me) {
      return [&turn, &right, me, rounds] {
        for(int i = 0; i < rounds; ++i) {
          right = right && turn == me;
          turn = 1 - me;
          boost::this_fiber::yield();
        }
      };
    };
    auto a = fibers::async(fibers::launch::post, player(0));
    auto b = fibers::async(fibers::launch::post, player(1));
    const double t = bench::time_of([&] {
      a.get();
      b.get();
    });
    bench::check(right && turn == 0, "yield: the fibers did not take turns");
    return t / (2.0 * rounds);
  };
  match(n);
  return {{"time per yield()", "ns", match(n)}};
}

using namespace bench::futures;

const bool added =
  add_calls<fiber>("Boost.Fiber", bench::role::peer) &&
  add_fib<fiber>("Boost.Fiber", bench::role::peer) &&
  add_chain<fiber_chain>("Boost.Fiber", bench::role::peer, {1}) &&
  add_when_all<fiber_future>("Boost.Fiber", bench::role::peer) &&
  add_rally<fiber_future>("Boost.Fiber", bench::role::peer) &&
  add_blocked<fiber_future>("Boost.Fiber", bench::role::peer) &&
  bench::add({"blocked get", "Boost.Fiber yield", bench::role::peer, {1}, measure_yield});

} // namespace
