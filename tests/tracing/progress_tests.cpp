// What comes from outside is looked for between long launches, and what it lets go on goes first.

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/long_launches.hpp>

#include "numbered_mail.hpp"
#include "take_long.hpp"

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

/// A chain of messages, and long launches that have nothing to do with it.
struct chain_beside_works {
  chain_beside_works(flow& on, std::size_t others) : f(on), works(others) {
    for(int& w : works)
      regions.emplace_back(f, w, "work");
  }
  void launch_works() {
    for(region<int>& r : regions)
      f.submit(
        [this](int& w) {
          take_long();
          ++w;
          ++ran;
        },
        write(r));
  }
  [[nodiscard]] bool have_all_run(int times) const {
    return std::all_of(works.begin(), works.end(), [times](int w) { return w == times; });
  }

  flow& f;
  int value = -1;
  region<int> chain{f, value, "chain"};
  std::deque<int> works;
  std::deque<region<int>> regions;
  std::size_t ran = 0; ///< Works.
  std::size_t ran_before_last_link = 0;
};

} // namespace

TEST_CASE("a chain of messages goes on between long launches that come behind it in the program") {
  executor ex(1);
  mail post(ex);
  flow f(ex, {.find_repeats = false});
  constexpr std::size_t links = 6;
  constexpr std::size_t others = 48;
  chain_beside_works all(f, others);
  for(std::size_t i = 0; i != links; ++i) {
    f.submit(ends_later([&](completion done, int&) { post.ask(done); }), write(all.chain));
    f.submit(
      [&](int& v) {
        ++v;
        all.ran_before_last_link = all.ran;
      },
      write(all.chain));
  }
  all.launch_works();
  f.wait();
  CHECK(all.value == static_cast<int>(links) - 1);
  CHECK(all.ran == others);
  CHECK(all.have_all_run(1));
  // About one for each link, and a few until it is known how long they are; not all that was claimed.
  CHECK(all.ran_before_last_link < others / 2);
}

TEST_CASE("in a closed loop, too, a chain of messages goes on between long launches") {
  executor ex(1);
  numbered_mail post(ex);
  flow f(ex);
  constexpr int links = 40;
  constexpr std::size_t others = 24;
  constexpr std::uint64_t passes = 6;
  chain_beside_works all(f, others);
  std::vector<std::size_t> in_pass;
  const auto pass = [&] {
    for(int i = 0; i != links; ++i) {
      f.submit(ends_later("receive", receive{&post}), write(all.chain));
      f.submit(
        [&](int& number) {
          number = post.take();
          all.ran_before_last_link = all.ran;
        },
        write(all.chain));
    }
    all.launch_works();
    f.submit([&](int&) { in_pass.push_back(all.ran_before_last_link); }, write(all.chain));
    for(region<int>& r : all.regions) // the next pass comes after all of this one
      f.submit([&](const int&, int&) { all.ran = 0; }, read(r), write(all.chain));
  };
  // Once it is known what takes long, the first pass of another loop is as good.
  for(const std::uint64_t of_call : {passes, passes + 1, passes + 2}) {
    f.repeat(of_call, pass);
    f.wait();
  }
  constexpr auto all_passes = static_cast<int>(3 * passes + 3);
  CHECK(all.value == links * all_passes - 1);
  CHECK(all.have_all_run(all_passes));
  REQUIRE(in_pass.size() == std::size_t{all_passes});
  CAPTURE(in_pass);
  // The first ones tell how long launches are.
  CHECK(
    std::all_of(in_pass.begin() + 2, in_pass.end(), [](std::size_t n) { return n < others / 4; }));
}

TEST_CASE("long launches are known though for long nothing was awaited while they ran") {
  executor ex(1);
  numbered_mail post(ex);
  flow f(ex, {.find_repeats = false});
  constexpr int links = 40;
  constexpr std::size_t others = 96; // more than are remembered
  constexpr int passes = 6;
  chain_beside_works all(f, others);
  std::vector<std::size_t> in_pass;
  for(int pass = 0; pass != passes; ++pass) {
    for(int i = 0; i != links; ++i) {
      f.submit(ends_later("receive", receive{&post}), write(all.chain));
      f.submit(
        [&](int& number) {
          number = post.take();
          all.ran_before_last_link = all.ran;
        },
        write(all.chain));
    }
    all.launch_works();
    for(region<int>& r : all.regions)
      f.submit([&](int&, const int&) { all.ran = 0; }, write(all.chain), read(r));
    f.submit([&](int&) { in_pass.push_back(all.ran_before_last_link); }, write(all.chain));
    for(region<int>& r : all.regions) // the works of the next pass come after all of this one
      f.submit([](const int&, int&) {}, read(all.chain), write(r));
  }
  f.wait();
  CHECK(all.value == links * passes - 1);
  CHECK(all.have_all_run(passes));
  REQUIRE(in_pass.size() == std::size_t{passes});
  // Where they are not known, the clock is read after so many short launches.
  CHECK(*std::min_element(in_pass.begin() + 2, in_pass.end()) < detail::poll_pace::most_between);
}

TEST_CASE("a wait before long launches is paid from a part of the time that they take") {
  const detail::launch_kind long_one{};
  const detail::launch_kind short_one{};
  detail::long_launches known;
  constexpr auto least = detail::long_launches::least;
  constexpr auto whole = least + least / 2;
  std::uint64_t now = 0;
  const auto run_long = [&](const detail::launch_kind& kind, std::uint64_t took) {
    now += took;
    known.has_run_long(&kind, took, now);
  };
  CHECK_FALSE(known.contain(&long_one));
  run_long(long_one, least);
  CHECK(known.contain(&long_one));
  CHECK_FALSE(known.contain(&short_one));
  CHECK_FALSE(known.contain(nullptr)); // though there is room for more
  CHECK(known.patience() == whole);    // until any other rank has come to the end of its own
  SECTION("waits that are not in vain use up what is there") {
    std::uint64_t all = 0;
    while(known.patience() != 0) {
      all += least;
      known.has_waited(least, false);
    }
    for(int i = 0; i != 24; ++i)
      run_long(long_one, least);
    CHECK(known.patience() == whole);
    CHECK(all >= 10 * least);
  }
  SECTION("after a wait in vain there is none until something else is sent or asked for") {
    known.has_waited(least, true);
    CHECK(known.patience() == 0);
    known.has_asked();
    CHECK(known.patience() == whole);
    known.has_waited(least, true);
    CHECK(known.patience() == 0);
  }
  SECTION("a wait in vain is followed by another one when there is enough for a whole launch") {
    known.has_asked();
    while(known.patience() != 0) {
      known.has_waited(known.patience(), true);
      known.has_asked();
    }
    unsigned launches = 0;
    do {
      run_long(long_one, least);
      ++launches;
    } while(known.patience() == 0);
    CHECK(launches >= 1);
    CHECK(launches <= 24);
  }
  SECTION("when something has come its sender is worth a short wait") {
    known.has_asked();
    while(known.patience() != 0) {
      known.has_waited(known.patience(), true);
      known.has_asked();
    }
    run_long(long_one, least / 2);
    CHECK(known.patience() == 0);
    known.has_come();
    CHECK(known.patience() != 0);
    CHECK(known.patience() <= least / 8);
    known.has_waited(1, true);
    CHECK(known.patience() == 0);
  }
  SECTION("where there is much, the short wait is longer") {
    known.has_waited(0, true);
    known.has_come();
    const std::uint64_t first = known.patience();
    known.has_waited(4'000'000, true);
    known.has_come();
    CHECK(known.patience() < first);
    CHECK(first < whole);
  }
  SECTION("the longest one lately counts, and after a while those that are shorter") {
    run_long(long_one, 4 * least);
    run_long(long_one, least);
    CHECK(known.patience() > 2 * whole);
    for(int i = 0; i != 20; ++i)
      run_long(long_one, least);
    CHECK(known.patience() == whole);
  }
  SECTION("of launches that take very long, too, there is enough for one in the end") {
    const std::uint64_t very_long = 100 * least;
    for(int i = 0; i != 30; ++i)
      run_long(long_one, very_long);
    CHECK(known.patience() == very_long + very_long / 2);
  }
  SECTION("one waits at a time") {
    CHECK(known.begin_wait());
    CHECK_FALSE(known.begin_wait());
    known.end_wait();
    CHECK(known.begin_wait());
  }
  SECTION("kinds are known until they take less, the last few of them") {
    const std::array<detail::launch_kind, 6> more{};
    for(const detail::launch_kind& k : more)
      run_long(k, least);
    CHECK(known.contain(&more.back()));
    CHECK_FALSE(known.contain(&long_one));
    for(const detail::launch_kind& k : more)
      known.has_run_short(&k);
    CHECK(known.is_empty());
  }
  SECTION("they are forgotten where none has come for long") {
    known.forget_old(now + least);
    CHECK(known.contain(&long_one));
    known.forget_old(now + 1000 * least);
    CHECK(known.is_empty());
    run_long(long_one, least);
    CHECK(known.contain(&long_one));
  }
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
