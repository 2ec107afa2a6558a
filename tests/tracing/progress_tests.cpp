// What comes from outside is looked for between long launches, and what it lets go on goes first.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include <catch2/catch.hpp>
#include <rondo/core/poll_pace.hpp>
#include <rondo/flow.hpp>
#include <rondo/tracing/later.hpp>

using namespace rondo;

namespace {

/// A message for one launch after the other; each is there at the first look after it is asked for.
class mail final : public poller {
public:
  explicit mail(executor& ex) : ex_(ex) { ex.attach(*this); }
  ~mail() override { ex_.detach(*this); }
  void ask(completion done) {
    asked_ = done;
    want(ex_);
  }
  void poll() noexcept override {
    if(!asked_.has_value())
      return;
    stop_wanting(ex_);
    const completion done = *asked_;
    asked_.reset();
    done();
  }

private:
  executor& ex_;
  std::optional<completion> asked_;
};

/// Fails instead.
class failing_mail final : public poller {
public:
  explicit failing_mail(executor& ex) : ex_(ex) { ex.attach(*this); }
  ~failing_mail() override { ex_.detach(*this); }
  void ask(completion done) {
    asked_ = done;
    want(ex_);
  }
  void poll() noexcept override {
    if(!asked_.has_value())
      return;
    stop_wanting(ex_);
    std::exchange(asked_, {})->fail(std::make_exception_ptr(std::runtime_error("not there")));
  }

private:
  executor& ex_;
  std::optional<completion> asked_;
};

void take_long() {
  const auto began = detail::ticks();
  while(detail::ticks() - began < 8 * detail::poll_pace::interval) {
  }
}

} // namespace

TEST_CASE("a chain of messages goes on between long launches that come behind it in the program") {
  executor ex(1);
  mail post(ex);
  flow f(ex, {.find_repeats = false});
  constexpr std::size_t links = 6;
  constexpr std::size_t others = 48;
  int value = 0;
  region chain(f, value, "chain");
  std::deque<int> works(others);
  std::deque<region<int>> regions;
  for(int& w : works)
    regions.emplace_back(f, w, "work");
  std::size_t ran = 0;
  std::size_t ran_before_last_link = 0;
  for(std::size_t i = 0; i != links; ++i) {
    f.submit(ends_later([&](completion done, int&) { post.ask(done); }), write(chain));
    f.submit(
      [&](int& v) {
        ++v;
        ran_before_last_link = ran;
      },
      write(chain));
  }
  for(region<int>& r : regions)
    f.submit(
      [&](int& w) {
        take_long();
        ++w;
        ++ran;
      },
      write(r));
  f.wait();
  CHECK(value == static_cast<int>(links));
  CHECK(ran == others);
  CHECK(std::count(works.begin(), works.end(), 1) == static_cast<std::ptrdiff_t>(others));
  // About one for each link, and a few until it is known how long they are; not all that was claimed.
  CHECK(ran_before_last_link < others / 2);
}

TEST_CASE("what is told to have failed later is thrown by the wait") {
  for(const bool at_once : {true, false}) {
    executor ex(1);
    failing_mail post(ex);
    flow f(ex);
    int value = 0;
    region r(f, value, "value");
    f.submit(ends_later("fetch",
               [&](completion done, int&) {
                 if(at_once)
                   done.fail(std::make_exception_ptr(std::runtime_error("not there")));
                 else
                   post.ask(done);
               }),
      write(r));
    f.submit([](int& v) { ++v; }, write(r));
    CHECK_THROWS_WITH(f.wait(), "not there");
    CHECK_THAT(f.last_failed_launch(),
      Catch::StartsWith("task 'fetch', launched at ") && Catch::Contains("progress_tests.cpp:"));
    CHECK(value == 0);
    f.submit([](int& v) { ++v; }, write(r));
    f.wait();
    CHECK(value == 1);
  }
}

TEST_CASE("a future of a launch behind a failure says which one that was") {
  executor ex(1);
  flow f(ex);
  int value = 0;
  region r(f, value, "value");
  f.submit(named("spoil", [](int&) { throw std::runtime_error("spoilt"); }), write(r));
  const future<int> behind = f.submit([](const int& v) { return v; }, read(r));
  CHECK_THROWS_WITH(f.wait(), "spoilt");
  CHECK_THROWS_WITH(
    behind.get(), Catch::StartsWith("rondo: cancelled: task 'spoil', launched at ") &&
                    Catch::Contains("progress_tests.cpp:"));
}
