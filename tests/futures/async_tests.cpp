#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "support.hpp"

using rondo::async;
using rondo::executor;
using rondo::future;
using rondo::make_failed;
using rondo::make_ready;
using rondo::promise;

TEST_CASE("async runs its body once, launched from outside and from tasks") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  std::vector<future<int>> all;
  for(int i = 0; i != 200; ++i)
    all.push_back(async(ex, [&, i] {
      const future<int> inner = async(ex, [&, i] {
        ++runs;
        return i;
      });
      return inner.get() + 1;
    }));
  int sum = 0;
  for(auto& f : all)
    sum += f.get();
  CHECK(runs.load() == 200);
  CHECK(sum == 20100);
}

TEST_CASE("async hands arguments over as rvalues, and lvalues are copied before") {
  executor ex(1);
  std::string s = "abc";
  const future<std::string> f = async(
    ex, [](std::string&& x) { return std::move(x) + "d"; }, s);
  s = "changed";
  CHECK(f.get() == "abcd");
  CHECK(async(
          ex, [](std::unique_ptr<int> p) { return *p; }, std::make_unique<int>(3))
          .get() == 3);
  int x = 0;
  async(
    ex, [](int& r) { r = 5; }, std::ref(x))
    .get();
  CHECK(x == 5);
}

namespace {
int plus(int a, int b) { return a + b; }
} // namespace

TEST_CASE("async takes functions") {
  executor ex(1);
  CHECK(async(ex, plus, 2, 3).get() == 5);
  CHECK(async(ex, &plus, make_ready(4), 3).get() == 7);
  CHECK(async(ex, {.name = "plus"}, plus, make_ready(4), make_ready(5)).get() == 9);
}

TEST_CASE("a future argument delays the start, and is handed over as its value") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  promise<std::string> p(ex);
  std::atomic<bool> started{false};
  const future<std::size_t> f = async(
    ex,
    [&](const std::string& s, int n) {
      started = true;
      return s.size() + std::size_t(n);
    },
    p.get_future(), async(ex, [] { return 3; }));
  for(int i = 0; i != 20; ++i)
    async(ex, [] {}).get();
  CHECK_FALSE(started.load());
  p.set_value("four");
  CHECK(f.get() == 7);
}

TEST_CASE("a body may take futures, which are ready then") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const future<int> a = async(ex, [] { return 2; });
  const future<std::string> b = async(ex, [] { return std::string("x"); });
  const future<int> f = async(
    ex,
    [](const future<int>& x, std::string s, const future<std::string>& y, int z) {
      return x.ready() && y.ready() ? x.get() * 100 + int(s.size() + y.get().size()) + z : -1;
    },
    a, std::string("five!"), b, a);
  CHECK(f.get() == 208);
}

TEST_CASE("future arguments may be mixed with arguments that can only be moved") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const future<std::unique_ptr<int>> a = async(ex, [] { return std::make_unique<int>(2); });
  const future<int> f = async(
    ex, [](const std::unique_ptr<int>& x, std::unique_ptr<int> y, int z) { return *x + *y + z; }, a,
    std::make_unique<int>(30), async(ex, [] { return 400; }));
  CHECK(f.get() == 432);
}

TEST_CASE("a future<void> argument delays the start, and nothing is handed over") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> done{0};
  const auto count = [&done] { ++done; };
  const future<void> a = async(ex, count);
  const future<void> b = async(ex, count);
  CHECK(async(
          ex, [&](int x) { return x + done.load(); }, a, 40, b)
          .get() == 42);
  CHECK(async(
          ex, [&] { return done.load(); }, a, b)
          .get() == 2);
}

TEST_CASE("a future argument of a reference is handed over as the reference") {
  executor ex(1);
  int x = 1;
  async(
    ex, [](int& r) { r = 7; }, make_ready<int&>(x))
    .get();
  CHECK(x == 7);
}

TEST_CASE("a task with a failed argument does not run, and fails likewise") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<bool> ran{false};
  const future<int> bad = async(ex, []() -> int { throw mishap(1); });
  const future<int> worse = async(ex, []() -> int { throw mishap(2); });
  const future<int> fine = async(ex, [] { return 1; });
  const auto body = [&](int, int, int) { ran = true; };
  const future<void> f = async(ex, body, fine, bad, worse);
  const future<void> g = async(ex, body, fine, worse, bad);
  const future<void> h = async(
    ex, [&](const future<int>&) { ran = true; }, bad);
  CHECK(mishap_of(f) == 1); // the first in the order of the arguments
  CHECK(mishap_of(g) == 2);
  CHECK(mishap_of(h) == 1);
  CHECK_FALSE(ran.load());
  // It is the same exception, not one like it.
  const mishap* first = nullptr;
  const mishap* second = nullptr;
  try {
    bad.get();
  }
  catch(const mishap& m) {
    first = &m;
  }
  try {
    f.get();
  }
  catch(const mishap& m) {
    second = &m;
  }
  CHECK(first == second);
}

TEST_CASE("a task whose stop was requested before it started is cancelled") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::stop_source stop;
  promise<int> p(ex);
  std::atomic<bool> ran{false};
  const auto body = [&](int) {
    ran = true;
    return 1;
  };
  const future<int> f = async(ex, {.stop = stop.get_token()}, body, p.get_future());
  const future<int> consumer = f.then([&](int) {
    ran = true;
    return 2;
  });
  const future<bool> asked = f.then([](const future<int>& x) { return x.cancelled(); });
  CHECK(async(ex, {.stop = stop.get_token()}, [] { return 3; }).get() == 3);
  stop.request_stop();
  p.set_value(0);
  f.wait();
  CHECK(f.cancelled());
  CHECK(f.failed());
  CHECK_THROWS_AS(f.get(), rondo::cancelled);
  consumer.wait();
  CHECK(consumer.cancelled());
  CHECK(asked.get());
  CHECK_FALSE(ran.load());
}

TEST_CASE("a task that throws cancelled is cancelled") {
  executor ex(1);
  const future<int> f = async(ex, []() -> int { throw rondo::cancelled(); });
  f.wait();
  CHECK(f.cancelled());
}

TEST_CASE("one worker runs tasks of high priority first and of low priority last") {
  executor ex(1);
  std::string order;
  (void)async(ex, {.priority = rondo::priority::low}, [&] { order += 'l'; });
  (void)async(ex, [&] { order += 'a'; });
  (void)async(ex, {.priority = rondo::priority::high}, [&] { order += 'h'; });
  ex.wait();
  CHECK(order == "hal");
}

TEST_CASE("a task meant for a worker runs there if nobody else is idle") {
  executor ex({.workers = 2});
  std::atomic<bool> busy{false};
  std::atomic<bool> go{false};
  std::string order;
  (void)async(ex, [&] { // on worker 1: this thread is not there yet
    busy = true;
    while(!go)
      std::this_thread::yield();
  });
  while(!busy)
    std::this_thread::yield();
  std::atomic<int> left{2};
  const auto note = [&](char c) {
    order += c;
    --left;
  };
  (void)async(ex, note, 'n');
  (void)async(ex, {.worker = 1}, note, '1');
  go = true;
  while(left != 0)
    std::this_thread::yield();
  CHECK(order == "1n");
}

namespace {
struct names final : rondo::observer {
  std::mutex mutex;
  std::string begun;
  std::string ended;
  void task_begin(unsigned, const rondo::task_info& info) noexcept override {
    const std::lock_guard lock(mutex);
    begun += info.name;
  }
  void task_end(unsigned, const rondo::task_info& info) noexcept override {
    const std::lock_guard lock(mutex);
    ended += info.name;
  }
};
} // namespace

TEST_CASE("observers see tasks by their names, also those that wait") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  names seen;
  ex.attach(seen);
  const future<int> f = async(ex, {.name = "f"}, [] { return 1; });
  async(ex, {.name = "g"}, [f] { return f.get(); }).get();
  ex.wait();
  ex.detach(seen);
  CHECK(seen.begun.size() == 2);
  CHECK(seen.ended.size() == 2);
}

namespace {
/// Counts how many of it there are.
struct counted {
  explicit counted(std::atomic<int>& n) : count(&n) { ++*count; }
  counted(const counted& other) : count(other.count) { ++*count; }
  counted& operator=(const counted&) = delete;
  ~counted() { --*count; }
  std::atomic<int>* count;
};
} // namespace

TEST_CASE("what a task has captured is gone before its future is ready") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> alive{0};
  bool late = false;
  for(int i = 0; i != 100; ++i) {
    const future<int> f = async(
      ex, [c = counted(alive)](const counted&, int) { return *c.count != 0 ? 1 : 0; },
      counted(alive), make_ready(1));
    f.wait();
    late = late || alive.load() != 0;
    const future<int> g =
      async(ex, [&ex, c = counted(alive)] { return async(ex, [] { return 1; }); });
    g.wait();
    late = late || alive.load() != 0;
    const future<int> h = async(
      ex, [c = counted(alive)](int) -> int { throw mishap(1); }, make_ready(1));
    h.wait();
    late = late || alive.load() != 0;
    CHECK(mishap_of(h) == 1);
  }
  CHECK_FALSE(late);
}

namespace {
struct waits_at_its_end {
  future<void> f;
  waits_at_its_end(future<void> of) : f(std::move(of)) {}
  waits_at_its_end(waits_at_its_end&&) = default;
  waits_at_its_end(const waits_at_its_end&) = default;
  ~waits_at_its_end() {
    if(f.valid())
      f.wait();
  }
};
} // namespace

TEST_CASE("what a task has captured may wait when it is destroyed") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != scaled(100, 10); ++round) {
    promise<void> p(ex);
    const future<void> f = p.get_future();
    std::vector<future<int>> all;
    std::atomic<int> ran{0};
    for(int i = 0; i != 20; ++i) {
      all.push_back(async(ex, [w = waits_at_its_end(f), i] { return i; }));
      ex.submit([w = waits_at_its_end(f), &ran] { ++ran; });
    }
    (void)async(ex, [&p] { p.set_value(); });
    int sum = 0;
    for(auto& g : all)
      sum += g.get();
    CHECK(sum == 190);
    ex.wait();
    CHECK(ran.load() == 20);
  }
}

TEST_CASE("a body that cannot be copied into a task leaves nothing begun") {
  struct refuses {
    refuses() = default;
    refuses(const refuses&) { throw mishap(1); }
    void operator()() const {}
  };
  executor ex(1);
  const refuses body;
  CHECK_THROWS_AS(async(ex, body), mishap);
  ex.wait();
}

TEST_CASE("the executor waits for all tasks, also for those nobody has a future of") {
  FOR_EACH_CONFIGURATION(options);
  std::atomic<int> runs{0};
  {
    executor ex(options);
    for(int i = 0; i != 100; ++i)
      (void)async(ex, [&] { return async(ex, [&] { ++runs; }).then(ex, [&] { ++runs; }); });
    ex.wait();
    CHECK(runs.load() == 200);
    for(int i = 0; i != 100; ++i)
      (void)async(ex, [&] { return async(ex, [&] { ++runs; }).then(ex, [&] { ++runs; }); });
  }
  CHECK(runs.load() == 400);
}

TEST_CASE("a task's future is that of the value in the end, however many futures lie in between") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  promise<int> p(ex);
  const future<int> f = p.get_future();
  const future<int> of_two = async(ex, [&]() -> future<future<int>> {
    return make_ready<future<int>>(async(ex, [] {}).then([f] { return f; }));
  });
  const future<int> of_three = async(ex, [&]() -> future<future<future<int>>> {
    return make_ready<future<future<int>>>(make_ready<future<int>>(f));
  });
  const future<int> after = of_two.then([&](int i) -> future<future<int>> {
    return make_ready<future<int>>(async(ex, [i] { return i + 1; }));
  });
  const future<int> bad = async(ex, []() -> future<future<int>> {
    return make_ready<future<int>>(make_failed<int>(std::make_exception_ptr(mishap(3))));
  });
  CHECK_FALSE(of_two.ready());
  p.set_value(7);
  CHECK(of_two.get() == 7);
  CHECK(of_three.get() == 7);
  CHECK(after.get() == 8);
  CHECK_THROWS_AS(bad.get(), mishap);
}
