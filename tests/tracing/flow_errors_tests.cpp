// Launches that fail, and what is refused.

#include <rondo/flow.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>
#include <rondo/futures/unasked.hpp>

#include "core/configurations.hpp"
#include "futures/support.hpp"
#include "inner_failures.hpp"

using namespace rondo;
using Catch::Matchers::Contains;

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

TEST_CASE("a failure in the flow of a task is told with both launches") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  const auto fail = [](int&) { throw std::runtime_error("no luck"); };
  const auto has_flow = [&](int& v) {
    flow inner(ex);
    region ri(inner, v);
    inner.submit(named("small", fail), write(ri));
    inner.wait();
  };
  f.submit(named("large", has_flow), write(r));
  CHECK_THROWS_WITH(f.wait(), "no luck");
  CHECK_THAT(f.last_failed_launch(),
    Catch::StartsWith("task 'small', launched at ") && Contains(", in task 'large', launched at "));

  // Three, one in the other.
  const auto has_two = [&](int& v) {
    flow inner(ex);
    region ri(inner, v);
    inner.submit(named("middle", has_flow), write(ri));
    inner.wait();
  };
  f.submit(named("outermost", has_two), write(r));
  CHECK_THROWS_WITH(f.wait(), "no luck");
  CHECK_THAT(f.last_failed_launch(), Catch::StartsWith("task 'small', ") &&
                                       Contains(", in task 'middle', ") &&
                                       Contains(", in task 'outermost', "));

  // Another failure of the same task is its own.
  f.submit(named("large",
             [&](int& v) {
               try {
                 has_flow(v);
               }
               catch(const std::runtime_error&) {
                 throw std::logic_error("not so large");
               }
             }),
    write(r));
  CHECK_THROWS_WITH(f.wait(), "not so large");
  CHECK_THAT(f.last_failed_launch(), Catch::StartsWith("task 'large', launched at "));
}

TEST_CASE("a task that does not wait for its flow is named where a launch of that has failed") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const std::string text = stderr_of([&] {
    flow f(ex);
    int value = 0;
    region r(f, value);
    f.submit(named("large",
               [&ex](int& v) {
                 flow inner(ex);
                 region ri(inner, v);
                 inner.submit(
                   named("small", [](int&) { throw std::runtime_error("no luck"); }), write(ri));
               }),
      write(r));
    f.wait();
  });
  CAPTURE(text);
  CHECK(count(text, "a launch failed and nobody waited for it: task 'small', launched at ") == 1);
  CHECK(count(text, ", in task 'large': no luck\n") == 1);
}

TEST_CASE(
  "a failure that no wait has thrown is told as one that nobody has asked for, each launch once") {
  std::vector<std::string> told;
  {
    executor ex(1);
    detail::tell_unasked(ex, [&told](const std::string& text) { told.push_back(text); });
    for(int i = 0; i != 3; ++i)
      detail::tell_unwaited_failure(ex, "task 'small', launched at main.cpp:12",
        std::make_exception_ptr(std::runtime_error("no luck")));
    detail::tell_unwaited_failure(ex, "task 'odd'", std::make_exception_ptr(42));
  }
  const std::string small =
    "a launch failed and nobody waited for it: task 'small', launched at main.cpp:12: ";
  CHECK(
    told == std::vector<std::string>{small + "no luck",
              "a launch failed and nobody waited for it: task 'odd': an exception of unknown type",
              small + "2 more times"});
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
    int identity(const int&) const { return 0; }
    void operator()(int&, int) const { throw std::runtime_error("overflow"); }
  };
  int value = 0;
  region r(f, value);
  f.submit([](int& part) { part = 1; }, reduce(r, bad{}));
  CHECK_THROWS_WITH(f.wait(), "overflow");
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
    Contains("region 'u'") && Contains("flow_errors_tests.cpp") && Contains("write") &&
      Contains("read"));
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
  CHECK_THAT(message, Contains("one of its own"));
  f.submit([&f] { f.submit([] {}); });
  CHECK_THROWS_WITH(f.wait(), Contains("one of its own"));
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
  CHECK_THROWS_WITH(f.wait(), Contains("'short-lived'") && Contains("flow_errors_tests.cpp"));
  f.wait();
}

TEST_CASE("a region of a task's own flow that is destroyed too early is told with the task") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const std::string text = stderr_of([&] {
    flow f(ex);
    int value = 0;
    region r(f, value);
    promise<int> late(ex);
    f.submit(named("large",
               [&](int& v) {
                 flow inner(ex);
                 region ri(inner, v, "part");
                 inner.submit([](int& w, int by) { w = by; }, write(ri), late.get_future());
                 f.home().submit([&late] {
                   // Long after the task has come to the end of the region, which waits for the launch.
                   std::this_thread::sleep_for(std::chrono::milliseconds(20));
                   late.set_value(1);
                 });
               }),
      write(r));
    f.wait();
  });
  CAPTURE(text);
  CHECK(count(text, "region 'part' was destroyed while a launch still needed it (") == 1);
  CHECK(count(text, ", in task 'large'); wait for the flow or the region first\n") == 1);
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

TEST_CASE("a region that ends in the body of repeat is named, and nothing of the loop runs") {
  executor ex(2);
  flow f(ex);
  int value = 0, other = 0;
  region kept(f, other, "kept");
  const auto body = [&] {
    region gone(f, value, "gone");
    f.submit([](int& v) { ++v; }, write(gone));
    f.submit([](int& v) { ++v; }, write(kept));
  };
  CHECK_THROWS_WITH(
    f.repeat(3, body), Contains("the region 'gone'") && Contains("before the loop"));
  f.wait();
  CHECK(value == 0);
  CHECK(other == 0);
  f.repeat(3, [&] {
    region unused(f, value, "unused");
    f.submit([](int& v) { ++v; }, write(kept));
  });
  f.wait();
  CHECK(other == 3);
}

TEST_CASE("more passes than can ever run are refused") {
  executor ex(1);
  flow f(ex);
  int value = 0;
  region r(f, value, "r");
  const auto body = [&] { f.submit([](int& v) { ++v; }, write(r)); };
  CHECK_THROWS_WITH(f.repeat(~std::uint64_t{0}, body), Contains("18446744073709551615 passes"));
  f.repeat(2, body);
  f.wait();
  CHECK(value == 2);
}
