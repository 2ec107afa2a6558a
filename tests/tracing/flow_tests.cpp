#include <rondo/flow.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"

using namespace rondo;

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

TEST_CASE(
  "launches that write parts do not wait for each other, and what comes after them waits for all") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  std::array<int, 3> parts{};
  int own = 0;
  region rp(f, parts);
  region ro(f, own);
  f.submit([](std::array<int, 3>& p) { p.fill(1); }, write(rp));
  promise<completion> handed_over(ex); // the first one ends when the second one has
  f.submit(ends_later([&handed_over](completion done, int&, std::array<int, 3>& p) {
    p[0] *= 2;
    handed_over.set_value(done);
  }),
    write(ro), write_part(rp));
  const future<int> second =
    f.submit([](std::array<int, 3>& p) { return p[1] *= 3; }, write_part(rp));
  const future<int> sum =
    f.submit([](const std::array<int, 3>& p) { return p[0] + p[1] + p[2]; }, read(rp));
  f.submit([](std::array<int, 3>& p) { p[2] = 7; }, write_part(rp));
  CHECK(second.get() == 3);
  CHECK(!sum.ready());
  handed_over.get_future().get()();
  f.wait();
  CHECK(sum.get() == 6);
  CHECK(parts == std::array<int, 3>{2, 3, 7});
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

namespace {

/// Launches keep `kept` with their functions.
template<class Kept>
void let_go_on_behind_claimed(const Kept& kept) {
  executor ex(2);
  flow f(ex, {.find_repeats = false});
  int a = 0;
  int b = 0;
  region ra(f, a);
  region rb(f, b);
  for(int round = 0; round != 5; ++round) {
    // So short that several are claimed at a time from then on.
    for(int i = 0; i != 20'000; ++i)
      f.submit([] {});
    f.wait();

    std::atomic<bool> is_released{false};
    std::atomic<bool> has_begun{false};
    bool came_later = false;
    // The other worker is busy, so that this thread claims the first two together when it waits.
    ex.submit([&is_released] {
      while(!is_released)
        std::this_thread::yield();
    });
    f.submit(
      [&, kept](int&) {
        static_cast<void>(kept);
        is_released = true;
        while(!ra.running().is_awaited()) // the third one is claimed by the other worker, and waits
          std::this_thread::yield();
      },
      write(ra));
    f.submit(
      [&, kept](int&) {
        static_cast<void>(kept);
        has_begun = true;
      },
      write(rb));
    f.submit(
      [&, kept](int&) {
        static_cast<void>(kept);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while(!has_begun && std::chrono::steady_clock::now() < end)
          std::this_thread::yield();
        came_later = has_begun;
      },
      write(ra));
    f.wait();
    CHECK(came_later);
    ex.wait();
  }
}

} // namespace

TEST_CASE("what a launch lets go on is for others while its worker has claimed older ones") {
  SECTION("that end with their function") { let_go_on_behind_claimed(0); }
  SECTION("that have something to destroy") { let_go_on_behind_claimed(std::string("kept")); }
}
