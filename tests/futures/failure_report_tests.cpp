#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>
#include <rondo/futures/unasked.hpp>

#include "support.hpp"

using rondo::async;
using rondo::executor;
using rondo::future;

namespace {

int fails(int n) { throw mishap(n); }

} // namespace

TEST_CASE("a failure that nobody looked at is told when the executor ends: what, where and who") {
  unsigned line = 0;
  const std::string text = stderr_of([&] {
    executor ex(2);
    line = __LINE__ + 1;
    (void)async(ex, {.name = "unlucky"}, fails, 42);
    ex.wait();
  });
  CAPTURE(text);
  CHECK(count(text, "mishap 42") == 1);
  CHECK(count(text, "'unlucky'") == 1);
  CHECK(count(text, std::string(__FILE__) + ":" + std::to_string(line)) == 1);
}

TEST_CASE("failures that somebody looked at are not told") {
  CHECK(stderr_of([] {
    executor ex(2);
    const future<int> f = async(ex, fails, 1);
    CHECK(mishap_of(f) == 1);
    const future<int> g = async(ex, fails, 2);
    const future<int> consumer = g.then([](int x) { return x; }).then([](int x) { return x; });
    CHECK(mishap_of(consumer) == 2);
    const future<int> h = async(ex, fails, 3);
    const future<int> i = async(ex, fails, 3);
    CHECK_THROWS_AS(when_all(h, rondo::make_ready(1)).get(), mishap);
    CHECK(mishap_of(i) == 3);
  }).empty());
}

TEST_CASE("a failure that was handed on is told once, and as what it was at first") {
  unsigned line = 0;
  const std::string text = stderr_of([&] {
    executor ex(2);
    line = __LINE__ + 1;
    const future<int> f = async(ex, fails, 7);
    for(int i = 0; i != 5; ++i)
      (void)f.then([](int x) { return x; });
  });
  CAPTURE(text);
  CHECK(count(text, "mishap 7") == 1);
  CHECK(count(text, std::string(__FILE__) + ":" + std::to_string(line)) == 1);
}

TEST_CASE("who asks whether a future has failed has looked") {
  CHECK(stderr_of([] {
    executor ex(1);
    const future<int> f = async(ex, fails, 1);
    f.wait();
    CHECK(f.failed());
  }).empty());
}

TEST_CASE("what was cancelled is no failure") {
  CHECK(stderr_of([] {
    executor ex(1);
    std::stop_source stop;
    stop.request_stop();
    (void)async(ex, {.stop = stop.get_token()}, [] {});
    rondo::promise<int> p(ex);
    p.set_cancelled();
    ex.wait();
  }).empty());
}

TEST_CASE("a broken promise is told") {
  const std::string text = stderr_of([] {
    executor ex(1);
    rondo::promise<int> p(ex);
    const future<int> f = p.get_future();
    p = rondo::promise<int>(ex);
  });
  CHECK(count(text, "rondo::promise") == 1);
}

TEST_CASE("of very many failures some are told, and how many others there are") {
  const std::string text = stderr_of([] {
    executor ex(2);
    for(int i = 0; i != 12'000; ++i)
      (void)async(ex, fails, i);
  });
  CAPTURE(text);
  CHECK(count(text, "mishap") == 10);
  CHECK(count(text, "11990 other failures") == 1);
}

TEST_CASE("a function of then that nobody has asked is told with the place where it was given") {
  unsigned line = 0;
  const std::string text = stderr_of([&] {
    executor ex(1);
    line = __LINE__ + 1;
    (void)async(ex, [] { return 5; }).then(fails);
  });
  CAPTURE(text);
  CHECK(count(text, "given to then at " + std::string(__FILE__) + ":" + std::to_string(line)) == 1);
  CHECK(count(text, "mishap 5") == 1);
}

TEST_CASE("what has failed many times is told at once, and in the end how many times more") {
  std::vector<std::string> told;
  {
    executor ex(1);
    rondo::detail::tell_unasked(ex, [&told](const std::string& text) { told.push_back(text); });
    rondo::detail::tell_unasked_now(ex, "this", "no luck");
    rondo::detail::tell_unasked_now(ex, "that", "no luck");
    for(int i = 0; i != 3; ++i)
      rondo::detail::tell_unasked_now(ex, "this", "another reason");
    CHECK(told == std::vector<std::string>{"this: no luck", "that: no luck"});
    told.clear();
  }
  CHECK(told == std::vector<std::string>{"this: 3 more times"});
}

TEST_CASE("a promise may fail after its executor has ended") {
  CHECK(stderr_of([] {
    future<int> f;
    {
      rondo::promise<int> p;
      {
        executor ex(1);
        p = rondo::promise<int>(ex);
        f = p.get_future();
      }
      p.set_exception(mishap_ptr(1));
    }
    CHECK(mishap_of(f) == 1);
  }).empty());
}
