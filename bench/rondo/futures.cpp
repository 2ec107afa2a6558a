#include "futures/cases.hpp"

#include <rondo/core/executor.hpp>
#include <rondo/futures.hpp>

namespace {

using bench::futures::rally;

struct with_executor {
  explicit with_executor(unsigned workers) : ex(workers) {}
  template<class F>
  auto run(F f) {
    return rondo::async(ex, std::move(f)).get();
  }
  rondo::executor ex;
};

struct rondo_async : with_executor {
  using with_executor::with_executor;
  template<class F>
  auto call(F f) {
    return rondo::async(ex, f).get();
  }
  template<class F>
  auto call_from_main(F f) {
    return call(f);
  }
  template<class F, class G>
  auto join(F f, G g) {
    auto a = rondo::async(ex, f);
    const auto b = g();
    return std::pair(std::move(a).get(), b);
  }
  std::uint64_t chain(int links) {
    return run([links] {
      rondo::promise<std::uint64_t> begin;
      auto f = begin.get_future();
      for(int i = 0; i < links; ++i)
        f = std::move(f).then([](std::uint64_t v) { return v + 1; });
      begin.set_value(0);
      return std::move(f).get();
    });
  }
};

struct rondo_stacks : with_executor {
  using with_executor::with_executor;
  using future = rondo::future<int>;
  using promise = rondo::promise<int>;
  static future ready(int value) { return rondo::make_ready(value); }
  template<class F>
  static std::vector<int> all(std::vector<future> futures, F set) {
    auto values = rondo::when_all(std::move(futures));
    set();
    return std::move(values).get();
  }
  void play(rally<rondo_stacks>& r) {
    run([this, &r] {
      auto a = rondo::async(ex, [&r] { r.serve(); });
      auto b = rondo::async(ex, [&r] { r.answer(); });
      a.get();
      b.get();
      return 0;
    });
  }
  template<class F>
  std::int64_t block(int n, int value, F all_blocked);
};

struct rondo_coroutines : with_executor {
  using with_executor::with_executor;
  using future = rondo::future<int>;
  using promise = rondo::promise<int>;
  void play(rally<rondo_coroutines>& r);
  template<class F>
  std::int64_t block(int n, int value, F all_blocked);
};

// What the blocked tasks share.
struct crowd {
  crowd(int n, rondo::future<int> f) : missing(n), opened(std::move(f)) {}
  void arrive() {
    if(missing.fetch_sub(1) == 1)
      all_here.set_value();
  }
  std::atomic<int> missing;
  rondo::future<int> opened;
  rondo::promise<void> all_here;
};

// start(crowd) makes one task. The last that begins wakes the one that made them, which is a task as
// well: with one worker it goes on when the last is blocked.
template<class F, class Start>
std::int64_t block_tasks(with_executor& s, int n, int value, F all_blocked, Start start) {
  return s.run([n, value, &all_blocked, &start]() -> std::int64_t {
    rondo::promise<int> gate;
    crowd c(n, gate.get_future());
    std::vector<rondo::future<int>> results;
    results.reserve(static_cast<std::size_t>(n));
    for(int i = 0; i < n; ++i)
      results.push_back(start(c));
    c.all_here.get_future().get();
    all_blocked();
    gate.set_value(value);
    const auto values = rondo::when_all(std::move(results)).get();
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
  });
}

template<class F>
std::int64_t rondo_stacks::block(int n, int value, F all_blocked) {
  return block_tasks(*this, n, value, all_blocked, [this](crowd& c) {
    return rondo::async(ex, [&c] {
      c.arrive();
      return int{c.opened.get()};
    });
  });
}

// Coroutines take pointers: an argument that is a future would delay their start, and the captures of a
// lambda would die before they do.

rondo::coroutine<int> wait_in(crowd* c) {
  c->arrive();
  co_return co_await c->opened;
}

rondo::coroutine<void> serve(rally<rondo_coroutines>* r) {
  for(std::size_t i = 0; i < r->there.size(); ++i) {
    r->there[i].set_value(1);
    r->score += static_cast<std::uint64_t>(co_await r->answered[i]);
  }
}

rondo::coroutine<void> answer(rally<rondo_coroutines>* r) {
  for(std::size_t i = 0; i < r->there.size(); ++i)
    r->back[i].set_value(1 + co_await r->served[i]);
}

void rondo_coroutines::play(rally<rondo_coroutines>& r) {
  run([this, &r] {
    auto a = rondo::async(ex, serve, &r);
    auto b = rondo::async(ex, answer, &r);
    a.get();
    b.get();
    return 0;
  });
}

template<class F>
std::int64_t rondo_coroutines::block(int n, int value, F all_blocked) {
  return block_tasks(
    *this, n, value, all_blocked, [this](crowd& c) { return rondo::async(ex, wait_in, &c); });
}

using namespace bench::futures;

const bool added = add_calls<rondo_async>("rondo", bench::role::rondo) &&
                   add_fib<rondo_async>("rondo", bench::role::rondo) &&
                   add_chain<rondo_async>("rondo", bench::role::rondo) &&
                   add_when_all<rondo_stacks>("rondo", bench::role::rondo) &&
                   add_rally<rondo_stacks>("rondo", bench::role::rondo, {1, 2}) &&
                   add_rally<rondo_coroutines>("rondo coroutines", bench::role::rondo, {1, 2}) &&
                   add_blocked<rondo_stacks>("rondo", bench::role::rondo) &&
                   add_blocked<rondo_coroutines>("rondo coroutines", bench::role::rondo);

} // namespace
