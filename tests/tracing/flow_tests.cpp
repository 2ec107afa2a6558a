#include <rondo/flow.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"

using namespace rondo;
using Catch::Matchers::Contains;

TEST_CASE("launches on one region run in their order") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  std::vector<int> seen;
  region r(f, seen, "seen");
  for(int i = 0; i != 1000; ++i)
    f.submit([i](std::vector<int>& v) { v.push_back(i); }, write(r));
  f.wait();
  REQUIRE(seen.size() == 1000);
  for(int i = 0; i != 1000; ++i)
    REQUIRE(seen[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("readers see the last write before them, and writers wait for readers") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  std::atomic<int> wrong{0};
  for(int i = 0; i != 200; ++i) {
    f.submit([](int& v) { ++v; }, read_write(r));
    for(int k = 0; k != 5; ++k)
      f.submit([&wrong, i](const int& v) { wrong += v == i + 1 ? 0 : 1; }, read(r));
  }
  f.wait();
  CHECK(value == 200);
  CHECK(wrong == 0);
}

TEST_CASE("readers run side by side") {
  executor ex(executor_options{.workers = 2, .background = true});
  flow f(ex);
  int value = 0;
  region r(f, value);
  // Each of the two waits for the other one.
  std::atomic<int> here{0};
  for(int i = 0; i != 2; ++i)
    f.submit(
      [&here](const int&) {
        ++here;
        while(here.load() != 2)
          std::this_thread::yield();
      },
      read(r));
  f.wait();
  CHECK(here == 2);
}

TEST_CASE("launches without a common region run side by side") {
  executor ex(executor_options{.workers = 2, .background = true});
  flow f(ex);
  int a = 0;
  int b = 0;
  region ra(f, a);
  region rb(f, b);
  std::atomic<int> here{0};
  const auto meet = [&here](int&) {
    ++here;
    while(here.load() != 2)
      std::this_thread::yield();
  };
  f.submit(meet, write(ra));
  f.submit(meet, write(rb));
  f.wait();
  CHECK(here == 2);
}

TEST_CASE("reductions are folded in the order of the launches") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  struct append {
    std::string identity(const std::string&) const { return {}; }
    void operator()(std::string& into, const std::string& part) const { into += part; }
  };
  std::string text = "<";
  region r(f, text);
  for(int i = 0; i != 100; ++i)
    f.submit([i](std::string& part) { part = std::to_string(i) + " "; }, reduce(r, append{}));
  f.submit([](std::string& t) { t += ">"; }, write(r));
  f.wait();
  std::string expected = "<";
  for(int i = 0; i != 100; ++i)
    expected += std::to_string(i) + " ";
  CHECK(text == expected + ">");
}

TEST_CASE("reductions begin before the region is free") {
  executor ex(executor_options{.workers = 2, .background = true});
  flow f(ex);
  double sum = 1;
  region r(f, sum);
  std::atomic<bool> reducing{false};
  f.submit(
    [&reducing](double& s) {
      while(!reducing.load()) // the reduction, which is launched later
        std::this_thread::yield();
      s = 2;
    },
    write(r));
  f.submit(
    [&reducing](double& part) {
      reducing = true;
      part += 40;
    },
    reduce(r, fold::sum));
  f.wait();
  CHECK(sum == 42);
}

TEST_CASE("the folds that come with Rondo") {
  executor ex(2);
  flow f(ex);
  double sum = 1;
  double product = 2;
  int low = 5;
  int high = 5;
  region rs(f, sum);
  region rp(f, product);
  region rl(f, low);
  region rh(f, high);
  for(int i = 1; i != 4; ++i)
    f.submit(
      [i](double& s, double& p, int& l, int& h) {
        s += i;
        p *= i;
        l = std::min(l, i);
        h = std::max(h, 3 * i);
      },
      reduce(rs), reduce(rp, fold::product), reduce(rl, fold::min), reduce(rh, fold::max));
  f.wait();
  CHECK(sum == 7);
  CHECK(product == 12);
  CHECK(low == 1);
  CHECK(high == 9);
}

TEST_CASE("launches that commute have the region one at a time") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  long a = 0;
  long b = 0;
  region ra(f, a);
  region rb(f, b);
  for(int i = 0; i != 300; ++i) {
    f.submit([](long& x) { ++x; }, commute(ra));
    if(i % 2 == 0)
      f.submit(
        [](long& x, long& y) {
          ++x;
          ++y;
        },
        commute(ra), commute(rb));
    else
      f.submit(
        [](long& y, long& x) {
          ++x;
          ++y;
        },
        commute(rb), commute(ra));
  }
  f.wait();
  CHECK(a == 600);
  CHECK(b == 300);
}

TEST_CASE("a launch that commutes waits for those that it does not commute with") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  std::string text;
  region r(f, text);
  for(int i = 0; i != 20; ++i) {
    f.submit([](std::string& t) { t += "("; }, write(r));
    for(int k = 0; k != 3; ++k)
      f.submit([](std::string& t) { t += "c"; }, commute(r));
    f.submit([](std::string& t) { t += ")"; }, write(r));
  }
  f.wait();
  std::string expected;
  for(int i = 0; i != 20; ++i)
    expected += "(ccc)";
  CHECK(text == expected);
}

TEST_CASE("results are futures, and futures are arguments") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  promise<int> p(ex);
  f.submit([](int& v, int by) { v += by; }, write(r), p.get_future());
  future<int> now = f.submit([](const int& v) { return v; }, read(r));
  future<int> doubled = f.submit([](future<int> x) { return 2 * x.get(); }, now);
  f.submit([](int& v, int d) { v += d; }, write(r), doubled);
  CHECK_FALSE(now.ready());
  p.set_value(5);
  CHECK(doubled.get() == 10);
  f.wait();
  CHECK(value == 15);
}

TEST_CASE("a task of a flow may wait for a future, and others run meanwhile") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  promise<int> p(ex);
  const auto later = p.get_future();
  std::atomic<int> sum{0};
  for(int i = 0; i != 100; ++i)
    f.submit([&sum, later] { sum += later.get(); });
  f.submit([&p] { p.set_value(3); });
  f.wait();
  CHECK(sum == 300);
}

TEST_CASE("wait for a region waits for that only") {
  executor ex(executor_options{.workers = 2, .background = true});
  flow f(ex);
  int a = 0;
  region ra(f, a);
  promise<void> gate(ex);
  f.submit([](int& x) { x = 1; }, write(ra));
  f.submit([] {}, gate.get_future());
  f.wait(ra);
  CHECK(a == 1);
  gate.set_value();
  f.wait();
}

TEST_CASE("a small window holds the launching code back, and nothing is lost") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(const std::size_t window : {1, 2, 7, 64, 1000}) {
    flow f(ex, {.window = window});
    long value = 0;
    region r(f, value);
    for(int i = 0; i != 2000; ++i)
      f.submit([](long& v) { ++v; }, write(r));
    f.wait();
    CHECK(value == 2000);
  }
}

TEST_CASE("launches of any size and alignment fit") {
  executor ex(2);
  flow f(ex);
  struct alignas(64) wide {
    char bytes[20'000];
  };
  std::atomic<int> sum{0};
  for(int i = 0; i != 300; ++i) {
    auto w = std::make_unique<wide>();
    w->bytes[19'999] = 1;
    f.submit([&sum](const wide& x) { sum += x.bytes[19'999]; }, *w);
    f.submit([&sum] { ++sum; });
  }
  f.wait();
  CHECK(sum == 600);
}

TEST_CASE("arguments are moved in, and destroyed when the launch has ended") {
  executor ex(2);
  flow f(ex);
  auto counted = std::make_shared<int>(7);
  const std::weak_ptr<int> watch = counted;
  std::atomic<int> seen{0};
  f.submit([&seen](std::shared_ptr<int>&& p) { seen = *p; }, std::move(counted));
  auto single = std::make_unique<int>(8);
  f.submit([&seen](std::unique_ptr<int>&& p) { seen += *p; }, std::move(single));
  f.wait();
  CHECK(seen == 15);
  CHECK(watch.expired());
}

TEST_CASE("a failure skips what comes after it, and wait throws the first in the program") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  f.submit([](int& v) { v = 1; }, write(r));
  f.submit(
    [](int& v) {
      v = 2;
      throw std::runtime_error("first");
    },
    write(r));
  f.submit([](int&) { throw std::runtime_error("second"); }, write(r));
  const future<int> skipped = f.submit([](const int& v) { return v; }, read(r));
  CHECK_THROWS_WITH(f.wait(), "first");
  CHECK(value == 2);
  CHECK(skipped.ready());
  CHECK_THROWS_AS(skipped.get(), cancelled);
  // The flow goes on.
  f.submit([](int& v) { v = 5; }, write(r));
  f.wait();
  CHECK(value == 5);
}

TEST_CASE("a failed argument fails the launch") {
  executor ex(2);
  flow f(ex);
  f.submit([](int) {}, make_failed<int>(std::make_exception_ptr(std::runtime_error("no mesh"))));
  CHECK_THROWS_WITH(f.wait(), "no mesh");
}

TEST_CASE("a fold that throws fails the flow") {
  executor ex(2);
  flow f(ex);
  struct bad {
    int identity(int) const { return 0; }
    void operator()(int&, int) const { throw std::runtime_error("overflow"); }
  };
  int value = 0;
  region r(f, value);
  f.submit([](int& part) { part = 1; }, reduce(r, bad{}));
  CHECK_THROWS_WITH(f.wait(), "overflow");
}

TEST_CASE("tasks launch into flows of their own") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow outer(ex);
  std::vector<long> sums(8);
  std::vector<std::unique_ptr<region<long>>> regions;
  for(auto& s : sums)
    regions.push_back(std::make_unique<region<long>>(outer, s));
  for(int round = 0; round != 10; ++round)
    for(auto& r : regions)
      outer.submit(
        [&ex](long& sum) {
          flow inner(ex);
          region mine(inner, sum);
          for(int i = 0; i != 50; ++i)
            inner.submit([](long& s) { ++s; }, write(mine));
          inner.wait();
        },
        write(*r));
  outer.wait();
  for(const long s : sums)
    CHECK(s == 500);
}

TEST_CASE("a region given twice to one launch is an error, unless both read") {
  executor ex(2);
  flow f(ex);
  int value = 3;
  region r(f, value, "u");
  int twice = 0;
  f.submit([&twice](const int& a, const int& b) { twice = a + b; }, read(r), read(r));
  f.wait();
  CHECK(twice == 6);
  CHECK_THROWS_WITH(f.submit([](int&, const int&) {}, write(r), read(r)),
    Contains("region 'u'") && Contains("flow_tests.cpp") && Contains("write") && Contains("read"));
  CHECK_THROWS_WITH(
    f.submit(named("swap", [](int&, int&) {}), write(r), write(r)), Contains("'swap'"));
  // What was refused has left no trace.
  f.submit([](int& v) { ++v; }, write(r));
  f.wait();
  CHECK(value == 4);
}

TEST_CASE("launching from another thread or task is an error") {
  executor ex(2);
  flow f(ex);
  int value = 0;
  region r(f, value);
  std::string message;
  std::thread([&] {
    try {
      f.submit([](int&) {}, write(r));
    }
    catch(const std::logic_error& e) {
      message = e.what();
    }
  }).join();
  CHECK_THAT(message, Contains("a flow of its own"));
  f.submit([&f] { f.submit([] {}); });
  CHECK_THROWS_WITH(f.wait(), Contains("a flow of its own"));
}

TEST_CASE("a region that is destroyed too early is an error that names the launch") {
  executor ex(executor_options{.workers = 1});
  flow f(ex);
  int value = 0;
  {
    region r(f, value, "short-lived");
    f.submit([](int& v) { v = 1; }, write(r));
  }
  CHECK(value == 1); // nothing dangles nevertheless
  CHECK_THROWS_WITH(f.wait(), Contains("'short-lived'") && Contains("flow_tests.cpp"));
  f.wait();
}

TEST_CASE("a region of one flow is not one of another") {
  executor ex(2);
  flow f(ex);
  flow g(ex);
  int value = 0;
  region r(f, value, "u");
  CHECK_THROWS_WITH(g.submit([](int&) {}, write(r)), Contains("another flow"));
  CHECK_THROWS_WITH(g.wait(r), Contains("another flow"));
}

TEST_CASE("a flow that ends finishes what was launched") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  for(int round = 0; round != 20; ++round) {
    flow f(ex);
    for(int i = 0; i != round; ++i)
      f.submit([&runs] { ++runs; });
  }
  CHECK(runs == 190);
}

TEST_CASE("flows live side by side on one executor") {
  executor ex(4);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for(int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      flow f(ex);
      long value = 0;
      region r(f, value);
      for(int i = 0; i != 3000; ++i)
        f.submit([](long& v) { ++v; }, write(r));
      f.wait();
      wrong += value == 3000 ? 0 : 1;
    });
  for(auto& t : threads)
    t.join();
  CHECK(wrong == 0);
}

TEST_CASE("a flow that was made for one worker keeps the executor to it") {
  executor ex(1);
  {
    flow f(ex);
    CHECK(f.is_alone());
    CHECK_THROWS_WITH(ex.resize(2), Catch::Contains("before flows are made"));
    CHECK(ex.workers() == 1);
  }
  ex.resize(2);
  CHECK(ex.workers() == 2);
  flow f(ex);
  CHECK_FALSE(f.is_alone());
}

TEST_CASE("the number of workers may change while launches run") {
  executor ex(2);
  flow f(ex);
  long value = 0;
  region r(f, value);
  for(const unsigned workers : {3U, 1U, 4U, 2U}) {
    for(int i = 0; i != 2000; ++i)
      f.submit([](long& v) { ++v; }, write(r));
    ex.resize(workers);
    for(int i = 0; i != 2000; ++i)
      f.submit([](long& v) { ++v; }, write(r));
  }
  f.wait();
  CHECK(value == 16000);
}

TEST_CASE("observers are told of launches by their names") {
  executor ex(1);
  struct : observer {
    void task_begin(unsigned, const task_info& t) noexcept override {
      if(std::string(t.name) == "relax")
        ++begun;
    }
    int begun = 0;
  } watch;
  ex.attach(watch);
  {
    flow f(ex);
    f.submit(named("relax", [] {}));
    f.submit(named("relax", [] {}));
  }
  ex.detach(watch);
  CHECK(watch.begun == 2);
}

TEST_CASE("launches of several flows that one promise lets go on") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != 50; ++round) {
    promise<int> p(ex);
    std::atomic<int> sum{0};
    flow outer(ex);
    for(int i = 0; i != 4; ++i)
      outer.submit([&ex, &sum, later = p.get_future()] {
        flow inner(ex);
        for(int k = 0; k != 5; ++k)
          inner.submit([&sum](int v) { sum += v; }, later);
        inner.wait();
      });
    outer.submit([&p] { p.set_value(2); });
    outer.wait();
    CHECK(sum == 40);
  }
}

TEST_CASE("a launch may wait for several futures") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != 50; ++round) {
    flow f(ex);
    promise<int> p(ex);
    promise<int> q(ex);
    std::atomic<int> sum{0};
    for(int i = 0; i != 5; ++i)
      f.submit([&sum](int a, int b) { sum += a * b; }, p.get_future(), q.get_future());
    const auto a = async(ex, [&p] { p.set_value(6); });
    const auto b = async(ex, [&q] { q.set_value(7); });
    f.wait();
    a.get();
    b.get();
    CHECK(sum == 210);
  }
}

TEST_CASE("a future of nothing is refused") {
  executor ex(2);
  flow f(ex);
  CHECK_THROWS_AS(f.submit([](int) {}, future<int>()), std::logic_error);
  f.wait();
}

TEST_CASE("observers are told of the end of a launch that throws") {
  executor ex(1);
  struct : observer {
    void task_begin(unsigned, const task_info&) noexcept override { ++open; }
    void task_end(unsigned, const task_info&) noexcept override { --open; }
    int open = 0;
  } watch;
  ex.attach(watch);
  {
    flow f(ex);
    f.submit([] { throw std::runtime_error("oops"); });
    CHECK_THROWS_WITH(f.wait(), "oops");
  }
  ex.detach(watch);
  CHECK(watch.open == 0);
}

TEST_CASE("folds and destructors may wait for later launches") {
  executor ex(1);
  flow f(ex);
  promise<void> p(ex);
  struct waits {
    future<void> for_what;
    explicit waits(future<void> w) : for_what(std::move(w)) {}
    waits(waits&&) = default;
    ~waits() {
      if(for_what.valid())
        for_what.get();
    }
  };
  struct op {
    future<void> for_what;
    int identity(int) const { return 0; }
    void operator()(int& into, int part) const {
      for_what.get();
      into += part;
    }
  };
  int value = 0;
  region r(f, value);
  f.submit([](const waits&) {}, waits(p.get_future()));
  f.submit([](int& part) { part = 1; }, reduce(r, op{p.get_future()}));
  f.submit([&p] { p.set_value(); });
  f.wait();
  CHECK(value == 1);
}

TEST_CASE("a thread in the seat of another's executor does the work, and none is forgotten") {
  executor ex(1);
  std::atomic<bool> stop{false};
  std::thread helper([&] { ex.wait_until([&stop] { return stop.load(); }); });
  flow f(ex);
  for(int i = 0; i != 2000; ++i)
    CHECK(f.submit([i] { return i; }).get() == i);
  stop = true;
  helper.join();
}
