// A rank says which tasks keep all others waiting.

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "process_that.hpp"
#include "watch/stall.hpp"

using namespace std::chrono_literals;
using rondo::executor;
using rondo::detail::stall_watch;

namespace {

/// The first line that is told, and how many were.
class listener {
public:
  void operator()(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if(text_.empty())
      text_ = line;
    ++lines_;
  }
  int lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

private:
  std::mutex mutex_;
  std::string text_;
  int lines_ = 0;
};

} // namespace

TEST_CASE("a task that keeps others waiting is told of, again and again") {
  const unsigned workers = GENERATE(1U, 2U, 3U);
  listener told;
  executor ex({.workers = workers, .shares_cores = true});
  {
    const stall_watch watch(ex, 100ms, [&told](const std::string& line) { told(line); });
    ex.run([&] {
      ex.submit({.name = "endless"}, [&told] {
        while(told.lines() < 2)
          std::this_thread::sleep_for(1ms);
      });
      ex.wait();
    });
  }
  CHECK_THAT(told.text(), Catch::StartsWith("nothing has run for "));
  CHECK_THAT(told.text(), Catch::Contains("but 'endless' on worker ") &&
                            Catch::Contains("and other tasks wait for that; does it end?"));
}

TEST_CASE("each task that does not end is told of") {
  listener told;
  executor ex({.workers = 2, .shares_cores = true});
  {
    const stall_watch watch(ex, 100ms, [&told](const std::string& line) { told(line); });
    ex.run([&] {
      std::atomic<int> begun{0};
      const auto endless = [&] {
        ++begun;
        while(begun != 2 || told.lines() == 0)
          std::this_thread::sleep_for(1ms);
      };
      ex.submit({.name = "this"}, endless);
      ex.submit({.name = "that"}, endless);
      ex.wait();
    });
  }
  CHECK_THAT(
    told.text(), Catch::Contains("'this' on worker ") && Catch::Contains("'that' on worker "));
}

TEST_CASE("a program with a handler of its own for the signal keeps it") {
  const death how = process_that([] {
    std::signal(SIGURG, [](int /*signal*/) { _exit(1); });
    executor ex({.workers = 1});
    const stall_watch watch(ex, 20ms, [](const std::string& /*line*/) { _exit(2); });
    ex.run([&] {
      ex.submit({.name = "long"}, [] { std::this_thread::sleep_for(200ms); });
      ex.wait();
    });
  });
  CHECK(how.code == 0);
}

TEST_CASE("what the program waits for is told if no task runs, by the rank that is to do that") {
  const bool is_to_tell = GENERATE(true, false);
  listener told;
  executor ex({.workers = 2, .deadlock_after = 10s, .shares_cores = true});
  {
    const stall_watch watch(
      ex, 100ms, [&told](const std::string& line) { told(line); },
      is_to_tell ? stall_watch::of_waits::all : stall_watch::of_waits::nothing);
    rondo::promise<int> late(ex);
    std::thread keeper([&] {
      for(int i = 0; i != (is_to_tell ? 6000 : 50) && told.lines() == 0; ++i)
        std::this_thread::sleep_for(10ms);
      late.set_value(1);
    });
    ex.run([&] {
      rondo::flow f(ex);
      int value = 0;
      rondo::region r(f, value);
      f.submit(rondo::named("take", [](int& v, int from) { v = from; }), rondo::write(r),
        late.get_future());
      f.wait();
      CHECK(value == 1);
    });
    keeper.join();
  }
  if(!is_to_tell) {
    CHECK(told.lines() == 0);
    return;
  }
  CHECK_THAT(told.text(),
    Catch::StartsWith("nothing has run here for ") &&
      Catch::Contains("if no task runs on another rank") && Catch::Contains("stall_tests.cpp") &&
      Catch::Contains(
        " waits for the launches of rondo::flow; the oldest is task 'take', launched at "));
}

TEST_CASE("deadlocks are certain though a thread looks at the tasks") {
  executor ex({.workers = 2, .deadlock_after = 100ms});
  const stall_watch watch(ex, 30s, [](const std::string& /*line*/) {});
  rondo::promise<int> never(ex);
  const rondo::future<int> value = never.get_future();
  const rondo::future<bool> told = rondo::async(ex, [&] {
    try {
      static_cast<void>(value.get());
    }
    catch(const rondo::deadlock_error&) {
      return true;
    }
    return false;
  });
  ex.wait();
  CHECK(told.get());
}

TEST_CASE("the patience is read from the environment") {
  const auto with = [](const char* text) {
    setenv("RONDO_PATIENCE", text, 1);
    const auto unset = [](const char* name) { unsetenv(name); };
    const std::unique_ptr<const char, decltype(unset)> at_end("RONDO_PATIENCE", unset);
    return stall_watch::patience();
  };
  CHECK(stall_watch::patience() == 30s);
  CHECK(with("0") == 0s);
  CHECK(with("2.5") == 2500ms);
  for(const char* const wrong : {"", "soon", "-1", "1s", "1e9", "nan"})
    CHECK_THROWS_AS(with(wrong), std::invalid_argument);
}
